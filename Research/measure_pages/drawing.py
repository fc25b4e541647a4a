"""Pictures of pages with their frames: right green, wrong red, thin if doubtful; true bars without a frame blue."""

import cv2
import numpy

GREEN, RED, BLUE = (0, 150, 0), (0, 0, 230), (230, 90, 0)


def drawn(page, verdict):
    """The page in colours, half as large."""
    picture = cv2.cvtColor(cv2.imread(str(page), cv2.IMREAD_GRAYSCALE), cv2.COLOR_GRAY2BGR)
    height, width = picture.shape[:2]
    for corners in verdict.missed:
        hull = cv2.convexHull(numpy.int32(numpy.array(corners) * (width, height)))
        cv2.polylines(picture, [hull], True, BLUE, 6)
    for measures, colour in ((verdict.right, GREEN), (verdict.wrong, RED)):
        for measure in measures:
            left, top, right, bottom = numpy.int32(numpy.array(measure["box"]) * (width, height, width, height))
            is_doubtful = measure["confidence"] < 0.5
            cv2.rectangle(picture, (left, top), (right, bottom), colour, 3 if is_doubtful else 8)
            words = f"{measure['confidence']:.2f}{'?' if is_doubtful else ''}"
            cv2.putText(picture, words, (left + 8, top + 36), cv2.FONT_HERSHEY_SIMPLEX, 1, colour, 3)
    return cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
