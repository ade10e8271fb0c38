import { SMTPServer } from 'smtp-server';

/** A mail server in a child process. Argument: JSON. Prints `ready`, then a line of JSON for each accepted e-mail. */
const { port, secure, key, cert, user, password } = JSON.parse(process.argv[2] ?? '{}');

const smtpError = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
const busyWith = new Set<string>();

const server = new SMTPServer({
  secure,
  ...(key ? { key, cert } : { hideSTARTTLS: true }),
  authOptional: !user,
  // With a certificate, authentication requires TLS.
  allowInsecureAuth: !key,
  onAuth: (auth, session, done) => {
    const isRight = auth.username === user && auth.password === password && (!key || session.secure);
    done(isRight ? null : smtpError(535, 'authentication failed'), isRight ? { user: auth.username } : undefined);
  },
  onRcptTo: ({ address }, _session, done) => {
    if (address.startsWith('nobody')) return done(smtpError(550, `5.1.1 <${address}>: no such mailbox`));
    if (address.startsWith('busy') && !busyWith.has(address)) {
      busyWith.add(address);
      return done(smtpError(451, `4.7.1 <${address}>: come back later`));
    }
    return done();
  },
  onData: (stream, session, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      const email = {
        from: mailFrom ? mailFrom.address : null,
        to: rcptTo.map(({ address }) => address),
        secure: session.secure,
        user: session.user ?? null,
        bytes: Buffer.concat(chunks).toString('latin1'),
      };
      process.stdout.write(`${JSON.stringify(email)}\n`);
      done();
    });
  },
});
server.on('error', () => undefined);
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
