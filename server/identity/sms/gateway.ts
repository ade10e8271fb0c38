import { setTimeout as pause } from 'node:timers/promises';
import type { SmsSettings } from './sms-settings.ts';

/** A message that the gateway did not accept. `code`: the status or kind of error; no number and no text. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const timeoutMs = 5_000;
/** Late codes are useless: three tries within some seconds. */
const pausesMs = [300, 1_500];

/** Returns whether the status is temporary. */
const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408;

const tried = async (settings: SmsSettings, to: string, message: string): Promise<'sent' | GatewayError> => {
  const { url, authorization, from, format } = settings;
  const fields = { from, to, message };
  const body = format === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
  const type = format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = { 'content-type': type, ...(authorization === null ? {} : { authorization }) };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
    await reply.body?.cancel();
    if (reply.ok) return 'sent';
    const error = new GatewayError(`the SMS gateway answered with status ${reply.status}`, `HTTP ${reply.status}`);
    if (!isPassing(reply.status)) throw error;
    return error;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const code = error instanceof Error ? error.name : 'unknown';
    return new GatewayError(`the SMS gateway does not answer (${code})`, code);
  }
};

/** Sends a message. @param to E.164 @throws GatewayError after the last try, and at once for a permanent error */
export const sendMessage = async (settings: SmsSettings, to: string, message: string): Promise<void> => {
  for (const wait of [...pausesMs, null]) {
    const result = await tried(settings, to, message);
    if (result === 'sent') return;
    if (wait === null) throw result;
    await pause(wait);
  }
};
