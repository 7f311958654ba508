"""Small models in the package, run with onnxruntime: a judge of pairs and an encoder of sentences."""
