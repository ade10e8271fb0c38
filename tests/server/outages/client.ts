import { problem } from '../../../contract/problem.ts';
import { signIn } from '../running-server.ts';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of several calls; each caller knows which
  readonly body: any;
  /** An earlier attempt broke off: it may have succeeded. */
  readonly wasRepeated: boolean;
}

type Once = Omit<Reply, 'wasRepeated'>;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Half the lifetime of an access token. */
const tokenAgeMs = 150_000;

/** Repeats requests like a browser until they are answered without an outage. Counts the outages. */
export const patientClient = (url: string, email: string) => {
  const met = { broken: 0, away: 0, internal: 0 };
  let current: { readonly token: string; readonly at: number } | null = null;

  const token = async (): Promise<string> => {
    while (!current || Date.now() - current.at > tokenAgeMs) {
      const tokens = await signIn(url, email).catch(() => null);
      if (tokens) current = { token: tokens.access_token, at: Date.now() };
      else await pause(50);
    }
    return current.token;
  };

  const once = async (target: string, init: RequestInit): Promise<Once | null> => {
    const headers = { ...init.headers, authorization: `Bearer ${await token()}` };
    let reply: Response;
    let text: string;
    try {
      reply = await fetch(`${url}${target}`, { ...init, headers });
      text = await reply.text();
    } catch {
      met.broken += 1;
      return null;
    }
    const body = text === '' ? null : JSON.parse(text);
    if (reply.status < 500) return { status: reply.status, body };
    const { code } = problem.parse(body);
    if (reply.status === 503 && code === 'database-unavailable' && Number(reply.headers.get('retry-after')) > 0)
      met.away += 1;
    else if (code === 'internal') met.internal += 1;
    else throw new Error(`${target}: ${reply.status} ${text}`);
    return null;
  };

  const call = async (target: string, init: () => RequestInit = () => ({})): Promise<Reply> => {
    for (let wasRepeated = false; ; wasRepeated = true) {
      const answer = await once(target, init());
      if (answer) return { ...answer, wasRepeated };
      await pause(30);
    }
  };
  const withJson = (method: string, body: unknown): RequestInit => ({
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const post = (target: string, body: unknown): Promise<Reply> => call(target, () => withJson('POST', body));
  /** One attempt; null when it broke off, successful or not. For requests that must not be repeated. */
  const attempt = async (target: string, method: string, body: unknown): Promise<Once | null> => {
    const answer = await once(target, withJson(method, body));
    if (!answer) await pause(30);
    return answer;
  };
  return { call, post, attempt, met };
};

export type PatientClient = ReturnType<typeof patientClient>;
