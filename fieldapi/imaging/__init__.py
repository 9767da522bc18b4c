"""What a photo says, and pictures of it that are safe to show. Services call `analyse_photo`,
which decodes in a child process; nothing here imports the rest of the project.
"""

from fieldapi.imaging.child import CORES, Analyser, WorkerGoneError, analyse_photo
from fieldapi.imaging.facts import Analysis, ExifFacts, Flag, Reason, Verdict

__all__ = [
    "CORES",
    "Analyser",
    "Analysis",
    "ExifFacts",
    "Flag",
    "Reason",
    "Verdict",
    "WorkerGoneError",
    "analyse_photo",
]
