import Basics
import Score
