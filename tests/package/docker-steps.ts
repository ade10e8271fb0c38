import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { debianFolder } from './debian-machine.ts';

/** Base images whose contents a minimal Debian has. */
const bases = ['debian:12-slim'];
/** Keeps /tmp of the image. */
const nspawnEnvironment = { ...process.env, SYSTEMD_NSPAWN_TMPFS_TMP: '0' };
const searchPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

type Instruction = readonly [keyword: string, rest: string];

const instructionsOf = (dockerfile: string): readonly Instruction[] =>
  dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, keyword = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return [keyword, rest];
    });

/**
 * Executes the instructions of a Dockerfile in a minimal Debian with systemd-nspawn, for machines without a Docker engine.
 * @throws Error when an instruction is unknown or a step fails
 */
export const buildImage = (dockerfile: string, context: string) => {
  const folder = debianFolder('without systemd');
  const fixed = ['-D', folder, '--register=no', '--keep-unit', '--resolv-conf=off', '--quiet'];
  const variables = [searchPath];
  let user = 'root';
  let entrypoint: readonly string[] = [];
  let command: readonly string[] = [];
  let healthCheck: readonly string[] = [];
  const nspawn = (options: readonly string[], line: readonly string[]): readonly string[] =>
    [fixed, options, ['--', '/usr/bin/env'], variables, line].flat();
  const steps: Readonly<Record<string, (rest: string) => void>> = {
    FROM: (base) => {
      if (!bases.includes(base)) throw new Error(`no Debian for ${base}`);
    },
    COPY: (rest) => {
      const [from = '', to = ''] = rest.split(' ');
      const found = globSync(from, { cwd: context });
      if (found.length === 0) throw new Error(`no ${from} in ${context}`);
      for (const name of found) cpSync(path.join(context, name), path.join(folder, to, name));
    },
    RUN: (line) => {
      const { status, stdout, stderr } = spawnSync('systemd-nspawn', nspawn([], ['/bin/sh', '-c', line]), {
        encoding: 'utf8',
        env: nspawnEnvironment,
      });
      if (status !== 0) throw new Error(`${line}: ${stdout}${stderr}`);
    },
    ENV: (rest) => variables.push(...rest.split(' ')),
    USER: (name) => {
      user = name;
    },
    HEALTHCHECK: (rest) => {
      healthCheck = JSON.parse(rest.slice(rest.indexOf('[')));
    },
    ENTRYPOINT: (rest) => {
      entrypoint = JSON.parse(rest);
    },
    CMD: (rest) => {
      command = JSON.parse(rest);
    },
    // For the engine alone.
    VOLUME: () => undefined,
    EXPOSE: () => undefined,
    STOPSIGNAL: (signal) => {
      if (signal !== 'SIGTERM') throw new Error(`a container receives SIGTERM here, not ${signal}`);
    },
  };
  for (const [keyword, rest] of instructionsOf(dockerfile)) {
    const step = steps[keyword];
    if (!step) throw new Error(`unknown instruction ${keyword}`);
    step(rest);
  }

  /** Starts a container, whose program has process id 1 and the network of this machine. */
  const start = (environment: Readonly<Record<string, string>>) => {
    const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const args = nspawn(
      [`--user=${user}`, '--console=pipe', '--kill-signal=SIGTERM'],
      [...given, ...entrypoint, ...command],
    );
    const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'TERM', 'systemd-nspawn', ...args], {
      env: nspawnEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    const exit = once(child, 'exit');
    return {
      output: () => text,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      /** Returns the exit code. */
      stop: async (): Promise<number | null> => {
        child.kill('SIGTERM');
        await exit;
        return child.exitCode;
      },
    };
  };
  return {
    start,
    /** Names an address inside, as the network of compose does. */
    addHost: (name: string, address: string) =>
      writeFileSync(path.join(folder, 'etc/hosts'), `127.0.0.1 localhost\n${address} ${name}\n`),
    /** The command of the health check with another port. Returns its exit code. */
    checkHealth: (port = '8080'): number | null =>
      spawnSync('chroot', [folder, ...healthCheck.map((part) => part.replace(':8080', `:${port}`))]).status,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

interface Service {
  readonly build: { readonly context: string; readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads a service of a compose file. `variables` stand for `${NAME:?}`. @throws Error when one has no value */
export const composeService = (file: string, name: string, variables: Readonly<Record<string, string>>) => {
  const text = readFileSync(file, 'utf8').replaceAll(/\$\{(\w+):\?\}/g, (_, variable: string) => {
    const value = variables[variable];
    if (value === undefined) throw new Error(`no value for ${variable}`);
    return value;
  });
  const { build, environment }: Service = parse(text).services[name];
  const context = path.join(path.dirname(file), build.context);
  return { context, dockerfile: path.join(context, build.dockerfile), environment };
};
