// Prints what is no protocol, as a program does that was never meant as a server.
process.stdout.write('Welcome to the shell!\n> \n')
process.stdin.on('data', () => process.stdout.write('command not understood\n')).on('end', () => process.exit(0))
