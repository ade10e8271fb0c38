import { setTimeout as pause } from 'node:timers/promises';
import type { SmsSettings } from './sms-settings.ts';

/** The gateway did not take a message. The message says its status or the kind of fault: no number and no text. */
export class GatewayFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GatewayFault';
  }
}

const timeoutMs = 5_000;
/** A code that comes late is of no use: three tries within some seconds. */
const pausesMs = [300, 1_500];

/** A status that says "not now" rather than "not this". */
const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408;

const tried = async (settings: SmsSettings, to: string, message: string): Promise<'sent' | GatewayFault> => {
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
    const fault = new GatewayFault(`the SMS gateway answered with status ${reply.status}`);
    if (!isPassing(reply.status)) throw fault;
    return fault;
  } catch (error) {
    if (error instanceof GatewayFault) throw error;
    return new GatewayFault(`the SMS gateway does not answer (${error instanceof Error ? error.name : 'unknown'})`);
  }
};

/** Sends a message. @param to E.164 @throws GatewayFault after the last try, and at once when the gateway says no for good */
export const sendMessage = async (settings: SmsSettings, to: string, message: string): Promise<void> => {
  for (const wait of [...pausesMs, null]) {
    const result = await tried(settings, to, message);
    if (result === 'sent') return;
    if (wait === null) throw result;
    await pause(wait);
  }
};
