import { z } from 'zod';
import type { Config } from '../../config.ts';
import { isServed } from '../../db/no-server.ts';
import { readGenerations } from '../../identity/key-generations.ts';
import { isLoopback, isLoopbackAddress, isLoopbackName } from '../../loopback.ts';
import type { MasterKeySource } from '../../secrets/master-key-settings.ts';
import type { OpenArchiveForCommand } from '../open-archive.ts';
import { type Check, failure, kindOf, ok, warning } from './check.ts';
import { readingVault } from './master-key.ts';
import { type ProbeReply, probe } from './probe.ts';

type PublicConfig = Pick<Config, 'masterKey' | 'publicUrl' | 'trustProxy' | 'host' | 'port'>;

const publishedKeys = z.object({ keys: z.array(z.object({ kid: z.string() })) });
const day = 86_400_000;
const renewDays = 14;
/** The header has whole seconds. */
const maxClockDifferenceMs = 5_000;

const proxy = ({ publicUrl, trustProxy }: PublicConfig): Check => {
  const name = 'trusted proxy';
  if (publicUrl?.startsWith('https:') && trustProxy === null)
    return warning(
      name,
      'the public URL is https, so a proxy is in front, but none is trusted: all users share its address',
      'Set DENTARIUM_TRUST_PROXY, for example to 1',
    );
  return ok(name, trustProxy === null ? 'none, and none is needed' : 'set');
};

const address = ({ publicUrl, host }: PublicConfig): Check => {
  const name = 'public URL';
  const cure = 'Set DENTARIUM_PUBLIC_URL to the address that users enter';
  if (publicUrl === undefined && !isLoopbackName(host) && !isLoopbackAddress(host))
    return warning(name, `not set, but the server listens on ${host}`, cure);
  if (publicUrl?.startsWith('http:') && !isLoopback(publicUrl))
    return failure(name, `${publicUrl} is not encrypted`, 'Put a proxy with HTTPS in front and use its address');
  return ok(name, publicUrl ?? 'not set: the archive is used on this machine only');
};

const certificateOf = ({ validTo, problem }: NonNullable<ProbeReply['certificate']>): Check => {
  const name = 'certificate';
  const days = Math.floor((validTo.getTime() - Date.now()) / day);
  if (days < 0)
    return failure(name, `expired ${-days} days ago`, 'Renew it, and check why it was not renewed by itself');
  if (problem?.includes('ALTNAME') || problem?.includes('does not match'))
    return failure(name, 'is for another name', 'Get a certificate for the name in the public URL');
  if (problem !== null)
    return warning(
      name,
      `${days} days left, but its authority is unknown here (${problem})`,
      'Send the whole chain from the proxy. Add an authority of your own to the certificates of this machine (update-ca-certificates); browsers must know it too',
    );
  if (days < renewDays)
    return warning(name, `${days} days left`, 'Renew it, and check why it was not renewed by itself');
  return ok(name, `trusted, ${days} days left`);
};

const clockOf = (date: Date): Check => {
  const name = 'clock of the public URL';
  const aheadMs = date.getTime() - Date.now();
  const text = `within ${Math.ceil(Math.abs(aheadMs) / 1000)} s of this machine`;
  return Math.abs(aheadMs) > maxClockDifferenceMs
    ? warning(name, text, 'Synchronize both clocks (NTP)')
    : ok(name, text);
};

/** Returns null when the keys cannot be read. */
const ownKeys = async ({ db }: OpenArchiveForCommand, source: MasterKeySource): Promise<readonly string[] | null> => {
  const vault = await readingVault(db, source);
  return vault && (await readGenerations(db, vault)).map(({ jwk }) => jwk.kid);
};

const targetOf = async (
  { status, body }: ProbeReply,
  archive: OpenArchiveForCommand,
  source: MasterKeySource,
): Promise<Check> => {
  const name = 'archive at the public URL';
  if (status === 502 || status === 503 || status === 504)
    return failure(name, `the proxy answers ${status}`, 'Check the address of the server in the proxy, and server.log');
  const read = publishedKeys.safeParse(status === 200 ? parsed(body) : null);
  const known = read.success ? await ownKeys(archive, source) : [];
  if (!known) return warning(name, 'not compared with this archive, whose keys cannot be read', 'See "master key"');
  if (read.data?.keys.some(({ kid }) => known.includes(kid))) return ok(name, 'leads to this archive');
  return failure(name, `leads to another program (status ${status})`, 'Check the public URL and the proxy');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Checks the public URL from here: address, proxy, certificate, clock, and that it leads to this archive. `archive`: null without a database. */
export const checkPublicUrl = async (
  config: PublicConfig,
  archive: OpenArchiveForCommand | null,
): Promise<readonly Check[]> => {
  const name = 'archive at the public URL';
  const fixed = [address(config), proxy(config)];
  // Without its database nothing tells whether a server runs.
  if (!archive) return fixed;
  if (!(await isServed(archive.database.address)))
    return [...fixed, warning(name, 'no server runs', 'Start the server, then run this command again')];
  const url = config.publicUrl ?? `http://localhost:${config.port}`;
  try {
    const reply = await probe(`${url}/.well-known/openid-configuration/jwks`);
    return [
      ...fixed,
      ...(reply.certificate ? [certificateOf(reply.certificate)] : []),
      ...(reply.date ? [clockOf(reply.date)] : []),
      await targetOf(reply, archive, config.masterKey),
    ];
  } catch (error) {
    const cure =
      'Check its name in DNS, the proxy and the firewall; a network may lead back to itself only from outside';
    return [...fixed, failure(name, `${url} does not answer here (${kindOf(error)})`, cure)];
  }
};
