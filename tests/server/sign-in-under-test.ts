import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import pino from 'pino';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import { ProblemError } from '../../server/domain/problem-error.ts';
import type { Interactions, Proof } from '../../server/identity/interactions.ts';
import type { Methods } from '../../server/identity/methods.ts';
import { problemReplies } from '../../server/problem-replies.ts';

/** A method's routes on a free port, below interactions that any caller opens with the cookie `of=<uid>`. */
export interface SignInNode {
  readonly url: string;
  /** The proofs of the method, in order. */
  readonly proofs: readonly Proof[];
  /** All log lines. */
  log(): string;
  post(uid: string, call: string, body?: object, headers?: Record<string, string>): Promise<JsonReply>;
  close(): Promise<void>;
}

export interface JsonReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many routes; each test knows which
  readonly body: any;
}

const outcomeOf = ({ accounts }: Proof): InteractionOutcome => {
  const [only] = accounts;
  if (!only) throw new ProblemError('no-account');
  if (accounts.length === 1 && !only.isActive) throw new ProblemError('account-inactive');
  if (accounts.length === 1) return { outcome: 'finished', redirectTo: '/connect/authorize/resumed' };
  return {
    outcome: 'choose-account',
    accounts: accounts.map(({ id, role, customer }) => ({ id, role, clinic: customer?.name ?? null })),
  };
};

export const signInNode = async (
  method: (interactions: Interactions) => Methods,
  language: string | null = 'sv',
): Promise<SignInNode> => {
  const proofs: Proof[] = [];
  let logged = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      logged += String(chunk);
      done();
    },
  });
  const interactions: Interactions = {
    current: async (request) => {
      const { uid } = request.params as { uid: string };
      if (request.headers.cookie !== `of=${uid}`) throw new ProblemError('sign-in-expired');
      return { uid, clientName: 'Dentarium', isOwnClient: true, method: null, language };
    },
    proved: async (_request, _reply, proof) => {
      proofs.push(proof);
      return outcomeOf(proof);
    },
  };
  const server: FastifyInstance = fastify({
    loggerInstance: pino({ level: 'debug' }, stream),
    trustProxy: true,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  problemReplies(server, async () => undefined);
  method(interactions).routes(server);
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    proofs,
    log: () => logged,
    post: async (uid, call, body = {}, headers = {}) => {
      const reply = await fetch(`${url}/interaction/${uid}/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `of=${uid}`, ...headers },
        body: JSON.stringify(body),
      });
      return { status: reply.status, body: await reply.json() };
    },
    close: () => server.close(),
  };
};

export const newFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-sign-in-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Polls until the reply is as expected; the test timeout ends it otherwise. */
export const until = async <T>(callRoute: () => Promise<T>, isExpected: (answer: T) => boolean): Promise<T> => {
  for (;;) {
    const answer = await callRoute();
    if (isExpected(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
