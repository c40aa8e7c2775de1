"""What tests have in common, apart from all of src: a referee, a plain solver, servers, a screen."""
