from claimeven.cli import main

main()
