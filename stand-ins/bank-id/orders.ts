import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Identity } from './identities.ts';

/** Seconds. */
export interface Timings {
  /** Until the app has the order. */
  readonly start: number;
  /** Until the person has answered. */
  readonly answer: number;
  /** How far the second of a scanned code may be from now. */
  readonly qr: number;
}
export const usualTimings: Timings = { start: 30, answer: 180, qr: 5 };

/** Why the app does not take what was scanned or opened. */
export class AppFault extends Error {
  readonly code: 'no-code' | 'no-order' | 'forged-code' | 'old-code' | 'taken' | 'ended';

  constructor(code: AppFault['code']) {
    super(code);
    this.name = 'AppFault';
    this.code = code;
  }
}

export interface Order {
  /** As the app calls it. */
  readonly id: string;
  readonly orderRef: string;
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  readonly qrStartSecret: string;
  readonly endUserIp: string;
  /** Said above the yes. */
  readonly visible: string;
  readonly madeAt: number;
  takenAt: number | null;
  status: 'pending' | 'failed' | 'complete';
  hint: string;
  person: Identity | null;
  endedAt: number | null;
}

const secondsSince = (moment: number) => (Date.now() - moment) / 1000;

/** The orders of this server and their life, as RP API v6.0 describes it. */
export const openOrders = (timings: Timings) => {
  const orders = new Map<string, Order>();

  const end = (order: Order, status: 'failed' | 'complete', hint: string) =>
    Object.assign(order, { status, hint, endedAt: Date.now() });

  /** Time passes when somebody looks. */
  const aged = (order: Order): Order => {
    if (order.status !== 'pending') return order;
    if (order.takenAt === null && secondsSince(order.madeAt) > timings.start) end(order, 'failed', 'startFailed');
    else if (order.takenAt !== null && secondsSince(order.takenAt) > timings.answer)
      end(order, 'failed', 'expiredTransaction');
    return order;
  };

  /** Gone: what was collected to its end, a complete order after 3 minutes, a failed one after 5. */
  const isGone = (order: Order): boolean =>
    order.endedAt !== null && secondsSince(order.endedAt) > (order.status === 'complete' ? 180 : 300);

  const found = (orderRef: string): Order | null => {
    const order = orders.get(orderRef);
    if (!order || isGone(aged(order))) return null;
    return order;
  };

  const make = (endUserIp: string, visible: string): Order => {
    const order: Order = {
      ...{ id: randomUUID(), orderRef: randomUUID(), autoStartToken: randomUUID(), qrStartToken: randomUUID() },
      ...{ qrStartSecret: randomUUID(), endUserIp, visible, madeAt: Date.now(), takenAt: null },
      ...{ status: 'pending', hint: 'outstandingTransaction', person: null, endedAt: null },
    };
    orders.set(order.orderRef, order);
    return order;
  };

  const collect = (orderRef: string): Order | null => {
    const order = found(orderRef);
    // What ended is told once.
    if (order && order.status !== 'pending') orders.delete(orderRef);
    return order;
  };

  const cancel = (orderRef: string): boolean => {
    const order = found(orderRef);
    return order?.status === 'pending' && orders.delete(orderRef);
  };

  const taken = (order: Order, person: Identity | null): Order => {
    if (aged(order).status !== 'pending') throw new AppFault('ended');
    if (order.takenAt !== null) throw new AppFault('taken');
    return Object.assign(order, { takenAt: Date.now(), person, hint: person ? 'userSign' : 'started' });
  };

  const scanned = (token: string, second: number, code: string): Order => {
    const order = [...orders.values()].find((one) => one.qrStartToken === token);
    if (!order) throw new AppFault('no-order');
    const right = createHmac('sha256', order.qrStartSecret).update(String(second)).digest();
    if (!timingSafeEqual(right, Buffer.from(code, 'hex'))) throw new AppFault('forged-code');
    if (Math.abs(Math.floor(secondsSince(order.madeAt)) - second) > timings.qr) throw new AppFault('old-code');
    return order;
  };

  /** The app scans the text of a code, or is opened by a link with `autostarttoken`. Without a person it has the order, and nobody chosen. */
  const take = (text: string, person: Identity | null): Order => {
    const [, token = '', second = '', code = ''] =
      /^bankid\.([\w-]+)\.(\d{1,9})\.([0-9a-f]{64})$/.exec(text.trim()) ?? [];
    if (token) return taken(scanned(token, Number(second), code), person);
    const opened = /[?&]autostarttoken=([\w-]+)/i.exec(text)?.[1];
    if (!opened) throw new AppFault('no-code');
    const order = [...orders.values()].find((one) => one.autoStartToken === opened);
    if (!order) throw new AppFault('no-order');
    return taken(order, person);
  };

  const inApp = (id: string): Order => {
    const order = [...orders.values()].find((one) => one.id === id);
    if (!order) throw new AppFault('no-order');
    if (aged(order).status !== 'pending') throw new AppFault('ended');
    return order;
  };

  const answer = (id: string, yes: boolean, person: Identity | null): Order => {
    const order = inApp(id);
    if (person) order.person = person;
    if (!yes) return end(order, 'failed', 'userCancel');
    if (order.takenAt === null || !order.person) throw new AppFault('no-order');
    return end(order, 'complete', '');
  };

  /** For tests: what no page of this app brings about. */
  const say = (id: string, status: 'pending' | 'failed', hint: string): Order => {
    const order = inApp(id);
    return status === 'failed' ? end(order, status, hint) : Object.assign(order, { hint });
  };

  return {
    ...{ make, collect, cancel, take, answer, say },
    waiting: (): Order[] => [...orders.values()].filter((order) => aged(order).status === 'pending'),
  };
};

export type Orders = ReturnType<typeof openOrders>;

/** Stands where BankID's signature would: nobody can verify it. */
export const noSignature = (): string => randomBytes(48).toString('base64');
