import { spawn } from 'node:child_process';
import path from 'node:path';

export interface GatewayProcess {
  /** Stops it and waits for its end. */
  close(): Promise<void>;
}

/** Starts the process for DICOM devices with the arguments of this one; it ends with this one. `onExit`: it ended by itself. */
export const startGatewayProcess = (args: readonly string[], onExit: (code: number | null) => void): GatewayProcess => {
  const program = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    // By the channel it learns when this process is killed.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let isClosing = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      if (!isClosing) onExit(code);
      resolve();
    });
    child.once('error', () => {
      onExit(null);
      resolve();
    });
  });
  return {
    close: async () => {
      isClosing = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
};
