"""The court bundle as a file: the container, the manifest, and the program that checks both without
us. Called by services; knows no SQL, no HTTP and no case: it is handed names and bytes.
"""
