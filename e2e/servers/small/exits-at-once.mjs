// Dies before it says anything, as a server does whose settings are missing.
process.stderr.write('starting up\nfatal: API_BASE is not set\n')
process.exitCode = 3
