import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Identity } from './identities.ts';

/** Seconds. */
export interface Timings {
  /** Until the app has the order. */
  readonly start: number;
  /** Until the user has answered. */
  readonly answer: number;
  /** Tolerance of the time of a scanned code. */
  readonly qr: number;
}
export const defaultTimings: Timings = { start: 30, answer: 180, qr: 5 };

/** Why the app rejects a scanned code or link. */
export class AppError extends Error {
  readonly code: 'no-code' | 'no-order' | 'forged-code' | 'old-code' | 'taken' | 'ended';

  constructor(code: AppError['code']) {
    super(code);
    this.name = 'AppError';
    this.code = code;
  }
}

export interface Order {
  /** Id that the app uses; clients use `orderRef`. */
  readonly id: string;
  readonly orderRef: string;
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  readonly qrStartSecret: string;
  readonly endUserIp: string;
  /** Text above the confirm button. */
  readonly visible: string;
  readonly madeAt: number;
  takenAt: number | null;
  status: 'pending' | 'failed' | 'complete';
  hint: string;
  identity: Identity | null;
  endedAt: number | null;
}

const secondsSince = (moment: number) => (Date.now() - moment) / 1000;

/** Creates the store of orders, with the life cycle of RP API v6.0. */
export const openOrders = (timings: Timings) => {
  const orders = new Map<string, Order>();

  const end = (order: Order, status: 'failed' | 'complete', hint: string) =>
    Object.assign(order, { status, hint, endedAt: Date.now() });

  /** Applies timeouts on access. */
  const withTimeouts = (order: Order): Order => {
    if (order.status !== 'pending') return order;
    if (order.takenAt === null && secondsSince(order.madeAt) > timings.start) end(order, 'failed', 'startFailed');
    else if (order.takenAt !== null && secondsSince(order.takenAt) > timings.answer)
      end(order, 'failed', 'expiredTransaction');
    return order;
  };

  /** Removed orders: after the final collect, complete ones after 3 minutes, failed ones after 5. */
  const isGone = (order: Order): boolean =>
    order.endedAt !== null && secondsSince(order.endedAt) > (order.status === 'complete' ? 180 : 300);

  const found = (orderRef: string): Order | null => {
    const order = orders.get(orderRef);
    if (!order || isGone(withTimeouts(order))) return null;
    return order;
  };

  const make = (endUserIp: string, visible: string): Order => {
    const order: Order = {
      id: randomUUID(),
      orderRef: randomUUID(),
      autoStartToken: randomUUID(),
      qrStartToken: randomUUID(),
      qrStartSecret: randomUUID(),
      endUserIp,
      visible,
      madeAt: Date.now(),
      takenAt: null,
      status: 'pending',
      hint: 'outstandingTransaction',
      identity: null,
      endedAt: null,
    };
    orders.set(order.orderRef, order);
    return order;
  };

  const collect = (orderRef: string): Order | null => {
    const order = found(orderRef);
    // A final state is returned once.
    if (order && order.status !== 'pending') orders.delete(orderRef);
    return order;
  };

  const cancel = (orderRef: string): boolean => {
    const order = found(orderRef);
    return order?.status === 'pending' && orders.delete(orderRef);
  };

  const assignTo = (order: Order, identity: Identity | null): Order => {
    if (withTimeouts(order).status !== 'pending') throw new AppError('ended');
    if (order.takenAt !== null) throw new AppError('taken');
    return Object.assign(order, { takenAt: Date.now(), identity, hint: identity ? 'userSign' : 'started' });
  };

  const orderOfCode = (token: string, second: number, code: string): Order => {
    const order = [...orders.values()].find((one) => one.qrStartToken === token);
    if (!order) throw new AppError('no-order');
    const expected = createHmac('sha256', order.qrStartSecret).update(String(second)).digest();
    if (!timingSafeEqual(expected, Buffer.from(code, 'hex'))) throw new AppError('forged-code');
    if (Math.abs(Math.floor(secondsSince(order.madeAt)) - second) > timings.qr) throw new AppError('old-code');
    return order;
  };

  /** The app scans a code, or is opened by a link with `autostarttoken`. Without an identity the order is opened and none is chosen. */
  const take = (text: string, identity: Identity | null): Order => {
    const [, token = '', second = '', code = ''] =
      /^bankid\.([\w-]+)\.(\d{1,9})\.([0-9a-f]{64})$/.exec(text.trim()) ?? [];
    if (token) return assignTo(orderOfCode(token, Number(second), code), identity);
    const opened = /[?&]autostarttoken=([\w-]+)/i.exec(text)?.[1];
    if (!opened) throw new AppError('no-code');
    const order = [...orders.values()].find((one) => one.autoStartToken === opened);
    if (!order) throw new AppError('no-order');
    return assignTo(order, identity);
  };

  const inApp = (id: string): Order => {
    const order = [...orders.values()].find((one) => one.id === id);
    if (!order) throw new AppError('no-order');
    if (withTimeouts(order).status !== 'pending') throw new AppError('ended');
    return order;
  };

  const answer = (id: string, yes: boolean, identity: Identity | null): Order => {
    const order = inApp(id);
    if (identity) order.identity = identity;
    if (!yes) return end(order, 'failed', 'userCancel');
    if (order.takenAt === null || !order.identity) throw new AppError('no-order');
    return end(order, 'complete', '');
  };

  /** For tests: states that the page cannot produce. */
  const setState = (id: string, status: 'pending' | 'failed', hint: string): Order => {
    const order = inApp(id);
    return status === 'failed' ? end(order, status, hint) : Object.assign(order, { hint });
  };

  return {
    make,
    collect,
    cancel,
    take,
    answer,
    setState,
    waiting: (): Order[] => [...orders.values()].filter((order) => withTimeouts(order).status === 'pending'),
  };
};

export type Orders = ReturnType<typeof openOrders>;

/** A placeholder for BankID's signature: it cannot be verified. */
export const noSignature = (): string => randomBytes(48).toString('base64');
