import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { composeMessage } from './compose-message.ts';
import { DeliveryError, type MailTransport } from './email-message.ts';

const sender = 'Dentarium <dentarium@localhost>';

/** Writes messages to a folder when no mail server is configured: `<time>-<id>.eml`, readable only by the server's own user. */
export const outboxTransport = (folder: string): MailTransport => {
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
    send: async (email) => {
      // Loaded at the first e-mail: the server starts sooner.
      const { createTransport } = await import('nodemailer');
      const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await writer.sendMail(composeMessage(email, sender));
      if (!Buffer.isBuffer(message)) throw new DeliveryError('unknown', 'not composed');
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
      await write(name, message).catch((error: NodeJS.ErrnoException) => {
        throw new DeliveryError('unknown', `outbox ${error.code}`);
      });
    },
    close: () => undefined,
  };
};
