import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createThumbLinks } from '../../server/resource/thumb-links.ts';
import { addTwoClinics } from './clinic.ts';
import { testDatabase } from './database.ts';
import { sealIn } from './link-seal.ts';
import { openSession } from './open-session.ts';

test('thumbnail links of a session are stable for minutes, and expire', async () => {
  const { db, close } = await testDatabase();
  const { doctorId } = await addTwoClinics(db);
  let now = Date.UTC(2026, 0, 1, 12, 0, 0);
  const links = createThumbLinks(db, 'key', () => now);
  const session = { grantId: await openSession(db, doctorId) };
  const imageUID = randomUUID();
  const link = links.of(session).linkTo(imageUID);
  const query = { imageUID, ...sealIn(link) };
  now += 10 * 60_000;
  expect(links.of(session).linkTo(imageUID)).toBe(link);
  expect(await links.isValid(query)).toBe(true);
  expect(await createThumbLinks(db, 'another key', () => now).isValid(query)).toBe(false);
  now += 51 * 60_000;
  expect(await links.isValid(query)).toBe(false);
  await close();
});
