"""Small models in the package, run with onnxruntime: a classifier of pairs and a sentence encoder."""
