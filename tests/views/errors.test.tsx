import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { problemCodes } from '../../contract/problem.ts';
import danish from '../../locales/da/failure.json' with { type: 'json' };
import english from '../../locales/en/failure.json' with { type: 'json' };
import norwegian from '../../locales/no/failure.json' with { type: 'json' };
import swedish from '../../locales/sv/failure.json' with { type: 'json' };
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import type { Administration } from '../../src/services/queries.ts';
import type { AccessLog } from '../../src/views/ground.tsx';
import { useFailureText } from '../../src/views/language/failure-text.ts';
import type { Readable, Reading } from '../../src/views/reading.tsx';
import { useImageProblemText } from '../../src/views/viewer/image-problem.ts';
import { aClinic, startedApp, withFreshTab } from './app-of.tsx';
import { idOf, patient, study } from './edit/writing.tsx';
import { show } from './render.tsx';

withFreshTab();

const offline = new ServiceError({ kind: 'offline' });
const fault = new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });
const network = 'There is some problem with network. Please check your connection and proxy settings';
const server = 'There is some problem with remote server. Try again later';
const internal = 'Internal server error, please try later';
const alertOf = async (text: string) => (await screen.findByText(text)).closest('[role=alert]');
const readable = <Reply,>(name: string, reply: () => Promise<Reply>): Readable<Reply> => ({
  queryKey: [name],
  queryFn: reply,
});

describe('the words for a failure', () => {
  const Told = ({ failure }: { failure: Failure }) => <p>{useFailureText()(failure)}</p>;
  const kinds = {
    offline: { kind: 'offline' },
    drift: { kind: 'drift', where: 'GET /about' },
    unexpected: { kind: 'unexpected' },
  } as const satisfies Record<Exclude<Failure['kind'], 'refused'>, Failure>;

  it.each(Object.entries(kinds))('are those of its kind: %s', async (kind, failure) => {
    await show(<Told failure={failure} />);
    screen.getByText(english[kind as keyof typeof kinds]);
  });

  it.each(problemCodes)('are those of the refusal: %s', async (code) => {
    await show(<Told failure={{ kind: 'refused', status: 400, code, errors: [] }} />);
    screen.getByText(english[code]);
  });

  it('are there in every language, each its own', () => {
    const wanted = [...Object.keys(kinds), ...problemCodes].sort();
    for (const texts of [swedish, english, danish, norwegian]) {
      expect(Object.keys(texts).sort()).toEqual(wanted);
      expect(new Set(Object.values(texts)).size).toBe(wanted.length);
    }
  });
});

describe('the line is cut', () => {
  it('while a list is read: says so, and asks again when it is told to', async () => {
    let isCut = true;
    const found = { data: [patient()], totalCount: 1, isTotalExact: true, next: null };
    const patients = () => readable('patients', async () => (isCut ? Promise.reject(offline) : found));
    await startedApp('/', { reading: { patients } as Partial<Reading> });
    expect(await alertOf(network)).toBeTruthy();
    isCut = false;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    expect(await screen.findByRole('row', { name: /Anna/ })).toBeTruthy();
  });

  it('while the page itself is fetched: says so in its place, and opens it by itself', async () => {
    let isCut = true;
    const roles = () => ({ queryKey: ['roles'], queryFn: () => new Promise(() => {}) });
    const administration = async () => (isCut ? Promise.reject(offline) : ({ roles } as unknown as Administration));
    await startedApp('/roles', { as: 'CustomerAdmin', ground: { administration } });
    expect(await alertOf(network)).toBeTruthy();
    // The shell goes on meanwhile.
    expect(screen.getByRole('link', { name: 'Help' })).toBeTruthy();
    isCut = false;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByRole('heading', { level: 1, name: 'Roles' })).toBeTruthy();
    expect(screen.queryByText(network)).toBeNull();
  });

  it('before what reads the access log was fetched: it is told like any other call', async () => {
    let tries = 0;
    const accessLog = async (): Promise<AccessLog> => {
      tries += 1;
      throw offline;
    };
    await startedApp('/log', { as: 'CustomerAdmin', ground: { accessLog } });
    expect(await screen.findByText(network)).toBeTruthy();
    expect(tries).toBeGreaterThan(0);
  });
});

describe('the archive stumbles', () => {
  it('is told to whoever reads what is no patient’s', async () => {
    const accessLog = async () =>
      ({ page: () => Promise.reject(fault), people: () => Promise.reject(fault) }) as unknown as AccessLog;
    await startedApp('/log', { as: 'CustomerAdmin', ground: { accessLog } });
    expect(await screen.findByText(server)).toBeTruthy();
  });

  it('over a list of patients: says that it is an internal error', async () => {
    const patients = () => readable('patients', () => Promise.reject(fault));
    await startedApp('/', { reading: { patients } as Partial<Reading> });
    expect(await alertOf(internal)).toBeTruthy();
  });

  it('over a patient: says so in place of the page, and tries again', async () => {
    let isBroken = true;
    const reading = {
      patient: () => readable('patient', async () => (isBroken ? Promise.reject(fault) : patient())),
      studies: () => readable('studies', async () => ({ data: [], totalCount: 0 })),
    } as Partial<Reading>;
    await startedApp(`/patient/${idOf(1)}`, { reading });
    expect(await alertOf(internal)).toBeTruthy();
    isBroken = false;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    expect(await screen.findByText('Anna Lind')).toBeTruthy();
  });

  it('over the studies of a patient: the patient stays, and the list says so', async () => {
    const reading = {
      patient: () => readable('patient', async () => patient()),
      studies: () => readable('studies', () => Promise.reject(fault)),
    } as Partial<Reading>;
    await startedApp(`/patient/${idOf(1)}`, { reading });
    expect(await alertOf(internal)).toBeTruthy();
    expect(await screen.findByText('Anna Lind')).toBeTruthy();
  });

  it('over a mount: says that it cannot be loaded, and opens it when it can be', async () => {
    let tries = 0;
    const openViewset = async () => {
      tries += 1;
      throw fault;
    };
    const reading = {
      patient: () => readable('patient', async () => patient()),
      studies: () => readable('studies', async () => ({ data: [study()], totalCount: 1 })),
    } as Partial<Reading>;
    await startedApp(`/patient/${idOf(1)}/2.25.6/${idOf(7)}`, { reading, openViewset });
    expect(await alertOf('Error with loading viewset')).toBeTruthy();
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await waitFor(() => expect(tries).toBe(2));
  });

  it('over an image: says that it is an internal error, and what the file’s own fault is where it is the file', async () => {
    const Told = ({ error }: { error: Error }) => <p>{useImageProblemText()(error, '1.2.840.10008.1.2.1')}</p>;
    await show(
      <>
        <Told error={fault} />
        <Told error={offline} />
        <Told error={Object.assign(new Error('x'), { code: 'truncated' })} />
      </>,
    );
    screen.getByText(internal);
    screen.getByText(network);
    expect(screen.getByText(/ends too early|cut|incomplete/i)).toBeTruthy();
  });
});

describe('the sign-in', () => {
  const problem = "There's some problem with authorization. Please, save your data and login again";

  it('whose rights were changed is over at the next look, after 30 s, with a way to begin anew', async () => {
    let permission: readonly string[] | null = null;
    const recheck = async () => permission ?? [];
    const { app, pass } = await startedApp('/nowhere', { as: 'Doctor', recheck });
    permission = [];
    expect(app.getSnapshot().children.session?.getSnapshot().matches('signedIn')).toBe(true);
    await pass(29_999);
    expect(screen.queryByText(problem)).toBeNull();
    await pass(1);
    expect((await screen.findByText(problem)).closest('[role=alert]')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Restart' })).toBeTruthy();
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
  });

  it('whose token the archive takes no more leads to the ways to sign in', async () => {
    const { app } = await startedApp('/nowhere');
    const failure: Failure = { kind: 'refused', status: 401, code: 'not-signed-in', errors: [] };
    act(() => app.getSnapshot().children.session?.send({ type: 'token.refused', failure }));
    expect(await screen.findByText(problem)).toBeTruthy();
    expect(window.location.pathname).toBe('/authorization');
  });

  it('that goes bad while the account is loaded is no sign-in', async () => {
    const { app } = await startedApp('/nowhere', {
      restore: () =>
        Promise.reject(new ServiceError({ kind: 'refused', status: 403, code: 'account-inactive', errors: [] })),
    });
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
    expect(app.getSnapshot().children.session?.getSnapshot().matches('signedOut')).toBe(true);
  });

  it('that may not see a page is told which right is missing, and the rest of the product is there', async () => {
    await startedApp(`/customers/${aClinic.id}/employeers`, { as: 'Doctor' });
    expect(await screen.findByText('You have no right to this page')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Patient' })).toBeTruthy();
  });
});

describe('a page with a fault', () => {
  it('says so in its place, offers a report without patient data, and leaves header and other pages alone', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = { data: [{ mainInfo: null }], totalCount: 1, isTotalExact: true, next: null };
    const patients = () => readable('patients', async () => broken);
    await startedApp('/', { reading: { patients } as unknown as Partial<Reading> });
    expect(await alertOf('This page stopped working')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Copy error report' })).toBeTruthy();
    act(() => screen.getByRole('link', { name: 'Help' }).click());
    expect(await screen.findByRole('heading', { level: 1, name: 'Help' })).toBeTruthy();
  });

  it('beside the page is told in a corner, and the page goes on', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const administration = async () => ({}) as Administration;
    await startedApp('/nowhere', { as: 'CustomerAdmin', ground: { administration } });
    await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /^About/, hidden: true }));
    expect(await alertOf('This page stopped working')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'There is no such page', hidden: true })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Help', hidden: true })).toBeTruthy();
  });
});
