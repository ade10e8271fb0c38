import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Forwards termination signals to a child; once it has ended, ends this program too.
 * @param {import('node:child_process').ChildProcess} child
 */
const forwardSignals = (child) => {
  let isEnding = false;
  const forward = (signal) => {
    isEnding = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
  child.on('close', (code) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
    if (isEnding) process.exit(code ?? 1);
  });
};

/**
 * Runs a program quietly; its output is captured and shown only when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<string>} what it printed
 */
export const quietly = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    forwardSignals(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}:\n${output.trim()}`)),
    );
  });

/**
 * Runs a program with its output shown as it comes (or sent to `stdio`), and forwards termination signals.
 * @returns {Promise<number>} its exit code
 */
export const loudly = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.stdio ?? 'inherit',
    });
    forwardSignals(child);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
