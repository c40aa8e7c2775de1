"""What a command line may say: options, arguments, help."""
