import Explanations
import Score
