import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import { freePort } from '../free-port.ts';
import type { ProxyName, ProxyProgram } from './proxy-program.ts';

export interface RealProxy {
  readonly pid: number;
  readonly url: string;
  /** Address without TLS. */
  readonly plainUrl: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** For configuration, logs and temporary files. */
  readonly folder: string;
  readonly port: number;
  /** Port of the server behind it. */
  readonly serverPort: number;
  readonly certificate: Certificate;
}

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface Setup {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const documented = path.join(import.meta.dirname, '../../deploy');

/** Returns the text with all replacements. @throws Error when one finds nothing */
const replaced = (text: string, changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`no "${from}" in the configuration`);
    return before.replaceAll(from, to);
  }, text);

/** The host name that the documentation uses. */
export const documentedHost = 'images.clinic.example';

/** Creates a certificate for the documented host that signs itself. */
export const selfSigned = (folder: string): Certificate => {
  const [certificateFile, keyFile] = [path.join(folder, 'host.pem'), path.join(folder, 'host.key')];
  const names = ['-subj', `/CN=${documentedHost}`, '-addext', `subjectAltName=DNS:${documentedHost}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certificateFile, '-days', '2', ...names], { stdio: 'pipe' });
  return { certificateFile, keyFile };
};

/** Trusts a certificate in this process. Returns what ends that. */
export const trust = ({ certificateFile }: Certificate): (() => void) => {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, readFileSync(certificateFile, 'utf8')]);
  return () => tls.setDefaultCACertificates(before);
};

/** The documented file; only ports and certificate are of this machine. */
const setUpCaddy = (_: ProxyProgram, options: ProxyOptions, plainPort: number): Setup => {
  const { folder, port, serverPort, certificate } = options;
  const site = replaced(readFileSync(path.join(documented, 'caddy/Caddyfile'), 'utf8'), [
    [`${documentedHost} {`, `${documentedHost} {\n\ttls ${certificate.certificateFile} ${certificate.keyFile}`],
    ['127.0.0.1:8080', `127.0.0.1:${serverPort}`],
  ]);
  const file = path.join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${site}`);
  const home = path.join(folder, 'home');
  return {
    args: ['run', '--adapter', 'caddyfile', '--config', file],
    environment: { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  };
};

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'];

/** Debian's nginx.conf with the documented file; only ports, certificate and folders are of this machine. */
const setUpNginx = ({ configFolder }: ProxyProgram, options: ProxyOptions, plainPort: number): Setup => {
  const { folder, port, serverPort, certificate } = options;
  const sites = path.join(folder, 'conf.d');
  mkdirSync(sites);
  const site = replaced(readFileSync(path.join(documented, 'nginx/dentarium.conf'), 'utf8'), [
    ['listen 80;', `listen ${plainPort};`],
    ['listen [::]:80;', `listen [::]:${plainPort};`],
    ['listen 443 ssl;', `listen ${port} ssl;`],
    ['listen [::]:443 ssl;', `listen [::]:${port} ssl;`],
    [`/etc/ssl/${documentedHost}.pem`, certificate.certificateFile],
    [`/etc/ssl/${documentedHost}.key`, certificate.keyFile],
    ['127.0.0.1:8080', `127.0.0.1:${serverPort}`],
    ['/var/log/nginx', folder],
  ]);
  writeFileSync(path.join(sites, 'dentarium.conf'), site);
  const temporary = temporaryPaths.map((name) => `${name}_temp_path ${path.join(folder, name)};`).join('\n');
  const main = replaced(readFileSync(path.join(configFolder, 'nginx.conf'), 'utf8'), [
    ['user www-data;', `daemon off;\n${process.getuid?.() === 0 ? 'user root;' : ''}`],
    ['/run/nginx.pid', path.join(folder, 'nginx.pid')],
    ['/var/log/nginx', folder],
    ['include /etc/nginx/conf.d', `${temporary}\ninclude ${sites}`],
    ['include /etc/nginx/sites-enabled/*;', ''],
    ['/etc/nginx', configFolder],
  ]);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, main);
  return { args: ['-p', folder, '-e', path.join(folder, 'error.log'), '-c', file] };
};

const setUps = { caddy: setUpCaddy, nginx: setUpNginx };

const answers = (url: string) =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
};

/** Starts Caddy or nginx with the documented configuration and waits until it answers. @throws Error with its output */
export const startRealProxy = async (
  name: ProxyName,
  found: ProxyProgram,
  options: ProxyOptions,
): Promise<RealProxy> => {
  const plainPort = await freePort();
  const { args, environment } = setUps[name](found, options, plainPort);
  const logFile = path.join(options.folder, 'output.log');
  const log = openSync(logFile, 'a');
  const child = spawn(found.program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', log, log] });
  closeSync(log);
  while (!(await answers(`http://localhost:${plainPort}`))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${readFileSync(logFile, 'utf8')}`);
    await pause(50);
  }
  return {
    pid: child.pid ?? 0,
    url: `https://${documentedHost}:${options.port}`,
    plainUrl: `http://${documentedHost}:${plainPort}`,
    close: () => end(child),
  };
};
