import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchForNewVersion } from '../../src/services/new-version.ts';

class Worker extends EventTarget {
  state = 'installing';
  readonly messages: unknown[] = [];
  postMessage(message: unknown) {
    this.messages.push(message);
  }
  become(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}
class Registration extends EventTarget {
  installing: Worker | null = null;
  waiting: Worker | null = null;
  update = vi.fn(async () => {});
  finds(worker: Worker) {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
  }
}
class Container extends EventTarget {
  controller: Worker | null = null;
  readonly registration = new Registration();
  readonly register = vi.fn(async () => this.registration);
}
class Page extends EventTarget {
  visibilityState = 'visible';
  is(state: 'visible' | 'hidden') {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let container: Container;
let page: Page;
const reload = vi.fn();
let taken: (() => void)[] = [];
const watch = () =>
  watchForNewVersion({
    container: container as never,
    page: page as never,
    reload,
    onNew: (take) => taken.push(take),
  });

beforeEach(() => {
  vi.useFakeTimers();
  container = new Container();
  page = new Page();
  taken = [];
  reload.mockClear();
});
afterEach(() => vi.useRealTimers());

describe('the first visit', () => {
  it('activates its service worker without a notice', async () => {
    await watch();
    const first = new Worker();
    container.registration.finds(first);
    first.become('installed');
    container.controller = first;
    container.dispatchEvent(new Event('controllerchange'));
    expect(taken).toEqual([]);
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('a new version', () => {
  beforeEach(() => {
    container.controller = new Worker();
  });

  it('waits for the user, then activates and reloads', async () => {
    await watch();
    const next = new Worker();
    container.registration.finds(next);
    expect(taken).toHaveLength(0);
    next.become('installed');
    expect(taken).toHaveLength(1);
    expect(next.messages).toEqual([]);
    expect(reload).not.toHaveBeenCalled();

    taken[0]?.();
    expect(next.messages).toEqual(['take-over']);
    container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('that waited before this page was opened is announced', async () => {
    container.registration.waiting = new Worker();
    await watch();
    expect(taken).toHaveLength(1);
  });

  it('that is being fetched while the page starts is announced once', async () => {
    const next = new Worker();
    container.registration.installing = next;
    await watch();
    next.become('installed');
    next.become('activated');
    expect(taken).toHaveLength(1);
  });

  it('activated in another tab leaves this tab as it is, and announces that', async () => {
    await watch();
    container.dispatchEvent(new Event('controllerchange'));
    expect(reload).not.toHaveBeenCalled();
    expect(taken).toHaveLength(1);
    taken[0]?.();
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('checks for updates', () => {
  it('run every hour and whenever the page becomes visible, also after a connection loss', async () => {
    const leave = await watch();
    container.registration.update.mockRejectedValueOnce(new TypeError('offline'));
    vi.advanceTimersByTime(3_600_000);
    page.is('hidden');
    page.is('visible');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(container.registration.update).toHaveBeenCalledTimes(3);
    leave();
    page.is('visible');
    vi.advanceTimersByTime(7_200_000);
    expect(container.registration.update).toHaveBeenCalledTimes(3);
  });
});
