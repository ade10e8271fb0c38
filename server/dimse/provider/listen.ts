import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { AssociationEnd } from '../association/association.machine.ts';
import { AssociationError } from '../association/association-error.ts';
import { createLink, type Link, type LinkLimits, usualLimits } from '../association/link.ts';
import type { AssociateRequest } from '../pdu/associate.ts';
import { type Rejection, rejections } from '../pdu/pdu.ts';
import { acceptAssociation } from './accept-association.ts';
import { negotiate, type Support } from './negotiate.ts';
import { type Services, serve } from './services.ts';

/** What a peer may do that is allowed to connect. */
export interface Admission extends Support {
  readonly services: Services;
  /** Called when the association has ended. */
  readonly onEnd?: () => void;
}

/** How an association ended, for the log. Titles are null when the peer never requested one. */
export interface AssociationReport {
  readonly address: string;
  readonly callingAeTitle: string | null;
  readonly calledAeTitle: string | null;
  readonly rejection: Rejection | null;
  readonly end: AssociationEnd;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls?: TlsOptions | null;
  readonly maxAssociations: number;
  /** Whether a peer may connect: an AE title alone proves nothing. */
  readonly admit: (request: AssociateRequest, address: string) => Promise<Rejection | Admission>;
  readonly onEnd: (report: AssociationReport) => void;
  /** Failures of this program; the association was aborted. */
  readonly onError: (error: unknown) => void;
  readonly limits?: LinkLimits;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more connections and aborts the associations that are open. */
  close(): Promise<void>;
}

/** Connections above the limit of associations, which learn of it by a rejection. */
const spareConnections = 16;
const readBytes = 256 << 10;

/** Answers requests for associations, and counts those that are open. */
const createAdmissions = ({ admit, maxAssociations, limits = usualLimits }: ListenOptions) => {
  let open = 0;
  const admissionOf = async (request: AssociateRequest, address: string) => {
    if (open >= maxAssociations) return rejections.localLimit;
    const admission = await admit(request, address);
    // Others may have been admitted in the meantime.
    return open >= maxAssociations ? rejections.localLimit : admission;
  };
  return async (link: Link, request: AssociateRequest) => {
    const admission = await admissionOf(request, link.address);
    if ('reason' in admission) return { answer: admission, services: {} };
    const answer = negotiate(request, admission, limits.maxPduBytes);
    if ('reason' in answer) return { answer, services: {} };
    open += 1;
    link.ended.finally(() => {
      open -= 1;
      admission.onEnd?.();
    });
    return { answer, services: admission.services };
  };
};

/** Serves one connection to its end. */
const serveConnection = async (
  link: Link,
  answerTo: ReturnType<typeof createAdmissions>,
  { onEnd, onError }: ListenOptions,
): Promise<void> => {
  let services: Services = {};
  let facts: Omit<AssociationReport, 'end'> = {
    address: link.address,
    callingAeTitle: null,
    calledAeTitle: null,
    rejection: null,
  };
  try {
    const association = await acceptAssociation(link, async (request) => {
      const { callingAeTitle, calledAeTitle } = request;
      facts = { ...facts, callingAeTitle, calledAeTitle };
      const { answer, services: admitted } = await answerTo(link, request);
      services = admitted;
      if ('reason' in answer) facts = { ...facts, rejection: answer };
      return answer;
    });
    if (association) await serve(association, services);
  } catch (error) {
    link.send({ type: 'abort.requested' });
    if (!(error instanceof AssociationError)) onError(error);
  }
  onEnd({ ...facts, end: await link.ended });
};

/** The same for a connection and for the TLS connection inside it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Listens for associations of peers. @throws errors of the system when the port cannot be used */
export const listenForAssociations = async (options: ListenOptions): Promise<Listener> => {
  const { host, port, tls, maxAssociations, limits = usualLimits, onError } = options;
  const links = new Map<Link, Socket>();
  /** Connections without an association, which may be in the middle of a TLS handshake. */
  const waiting = new Map<string, Socket>();
  const answerTo = createAdmissions(options);
  const onConnection = (socket: Socket) => {
    waiting.delete(nameOf(socket));
    const link = createLink(socket, limits);
    links.set(link, socket);
    link.ended.finally(() => links.delete(link));
    serveConnection(link, answerTo, options).catch(onError);
  };
  const server = tls
    ? createTlsServer({ ...tls, handshakeTimeout: limits.artimMs }, onConnection)
    : createServer({ highWaterMark: readBytes }, onConnection);
  server.maxConnections = maxAssociations + spareConnections;
  server.prependListener('connection', (socket: Socket) => {
    const name = nameOf(socket);
    waiting.set(name, socket);
    socket.once('close', () => waiting.delete(name));
  });
  await listening(server, host, port);
  server.on('error', onError);
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const [link, socket] of links) {
      link.send({ type: 'abort.requested' });
      socket.destroySoon();
    }
    for (const socket of waiting.values()) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close };
};
