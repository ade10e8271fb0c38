import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { start as startBankId } from './bank-id/start.ts';
import { start as startOpenId } from './openid/start.ts';
import { start as startSms } from './sms/start.ts';

/*
 * Starts the test servers and prints the environment for the archive. With `--run` the archive is started as well; every other flag is passed
 * on to it. The addresses are the same each time, so that saved settings stay valid.
 */

const root = path.dirname(import.meta.dirname);
const ports = { app: 9401, api: 9402, sms: 9403, openid: 9404 };

const flags = process.argv.slice(2);
const isRunning = flags.includes('--run');
const passedOn = flags.filter((flag) => flag !== '--run');

const exitWith = (error: NodeJS.ErrnoException): never => {
  const port = 'port' in error ? ` ${error.port}` : '';
  console.error(error.code === 'EADDRINUSE' ? `Port${port} is taken: are the test servers running already?` : error);
  process.exit(1);
};

const startAll = async () => ({
  bankId: await startBankId({ folder: path.join(root, 'data-stand-ins'), port: ports.app, apiPort: ports.api }),
  sms: await startSms({ port: ports.sms }),
  openid: await startOpenId({ port: ports.openid }),
});

const { bankId, sms, openid } = await startAll().catch(exitWith);
const environment = { ...bankId.environment, ...sms.environment, ...openid.environment };

const setting = ([name, value]: [string, string]) => `  ${name}=${/[^\w@%+=:,./-]/.test(value) ? `'${value}'` : value}`;

console.log(`
TEST SERVERS. Whoever signs in through them proves nothing: for tests and demonstrations only.

  BankID app       ${bankId.url}
  Text messages    ${sms.url}
  SITHS, Azure AD, the clinic's own provider   ${openid.url}

  Azure AD is set by an administrator:
    client   ${openid.azure.clientId}
    tenant   ${openid.azure.tenantId}
${isRunning ? '' : `\nEnvironment of the archive (or let --run start it):\n\n${Object.entries(environment).map(setting).join('\n')}\n`}
Stop with Ctrl+C.
`);

const closeAll = () => Promise.all([bankId.close(), sms.close(), openid.close()]);
const archive = isRunning
  ? spawn(process.execPath, [path.join(root, 'server', 'main.ts'), ...passedOn], {
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    })
  : null;

const end = () => void closeAll().then(() => process.exit(0));
// The terminal sends Ctrl-C to the archive as well; this process exits after the archive has shut down.
process.on('SIGINT', () => archive ?? end());
process.on('SIGTERM', () => (archive ? archive.kill('SIGTERM') : end()));
if (archive) {
  const [code] = await once(archive, 'exit');
  await closeAll();
  process.exit(typeof code === 'number' ? code : 1);
}
