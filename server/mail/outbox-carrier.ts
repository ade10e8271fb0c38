import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { composed } from './compose.ts';
import { type Carrier, NotSent } from './letter.ts';

const sender = 'Dentarium <dentarium@localhost>';

/** Puts letters into a folder, where no mail server is configured: `<moment>-<id>.eml`, readable by the archive's own user only. */
export const outboxCarrier = (folder: string): Carrier => {
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  const write = async (name: string, bytes: Buffer): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = path.join(folder, `.${name}.part`);
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path.join(folder, name));
  };

  return {
    send: async (letter) => {
      const { message } = await writer.sendMail(composed(letter, sender));
      if (!Buffer.isBuffer(message)) throw new NotSent('not composed', false);
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
      await write(name, message).catch((error: NodeJS.ErrnoException) => {
        throw new NotSent(`outbox ${error.code}`, false);
      });
    },
    close: () => writer.close(),
  };
};
