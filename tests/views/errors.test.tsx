import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { problemCodes } from '../../contract/problem.ts';
import { type SessionEndReason, sessionEndReason } from '../../contract/sign-in.ts';
import danish from '../../locales/da/failure.json' with { type: 'json' };
import english from '../../locales/en/failure.json' with { type: 'json' };
import norwegian from '../../locales/no/failure.json' with { type: 'json' };
import swedish from '../../locales/sv/failure.json' with { type: 'json' };
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import type { Administration } from '../../src/services/queries.ts';
import type { AccessLog } from '../../src/views/app/app-context.tsx';
import type { AppQueries, ReadQuery } from '../../src/views/app/queries-context.tsx';
import { useFailureText } from '../../src/views/language/failure-text.ts';
import { useImageProblemText } from '../../src/views/workspace/viewer/image-state.tsx';
import { patient, study } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';
import { aClinic, startedApp, withFreshTab } from './render-app.tsx';

withFreshTab();

const offline = new ServiceError({ kind: 'offline' });
const serverError = new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });
const network = 'There is some problem with network. Please check your connection and proxy settings';
const server = 'There is some problem with remote server. Try again later';
const internal = 'Internal server error, please try later';
const alertOf = async (text: string) => (await screen.findByText(text)).closest('[role=alert]');
const readable = <Reply,>(name: string, reply: () => Promise<Reply>): ReadQuery<Reply> => ({
  queryKey: [name],
  queryFn: reply,
});

describe('the texts of a failure', () => {
  const FailureText = ({ failure }: { failure: Failure }) => <p>{useFailureText()(failure)}</p>;
  const kinds = {
    offline: { kind: 'offline' },
    drift: { kind: 'drift', where: 'GET /about' },
    unexpected: { kind: 'unexpected' },
  } as const satisfies Record<Exclude<Failure['kind'], 'refused'>, Failure>;

  it.each(Object.entries(kinds))('are those of its kind: %s', async (kind, failure) => {
    await show(<FailureText failure={failure} />);
    screen.getByText(english[kind as keyof typeof kinds]);
  });

  it.each(problemCodes)('are those of the error code: %s', async (code) => {
    await show(<FailureText failure={{ kind: 'refused', status: 400, code, errors: [] }} />);
    screen.getByText(english[code]);
  });

  it('name the request of an unexpected error, so that IT staff find it in the log', async () => {
    const failure = { kind: 'refused', status: 500, code: 'internal', errors: [], requestId: '5f2c0a91d3e7' } as const;
    await show(<FailureText failure={failure} />);
    screen.getByText(`${server}. Reference: 5f2c0a91d3e7`);
  });

  it('do not name the request of a known error', async () => {
    const failure = { kind: 'refused', status: 404, code: 'not-found', errors: [], requestId: '5f2c0a91d3e7' } as const;
    await show(<FailureText failure={failure} />);
    screen.getByText(english['not-found']);
  });

  it('exist in every language and differ between languages', () => {
    const expected = [...Object.keys(kinds), ...problemCodes].sort();
    for (const texts of [swedish, english, danish, norwegian]) {
      expect(Object.keys(texts).sort()).toEqual(expected);
      expect(new Set(Object.values(texts)).size).toBe(expected.length);
    }
  });
});

describe('connection loss', () => {
  it('while a list loads: shows the failure and retries on request', async () => {
    let isCut = true;
    const found = { data: [patient()], similar: [], totalCount: 1, isTotalExact: true, next: null };
    const patients = () => readable('patients', async () => (isCut ? Promise.reject(offline) : found));
    await startedApp('/', { queries: { patients } as Partial<AppQueries> });
    expect(await alertOf(network)).toBeTruthy();
    isCut = false;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    expect(await screen.findByRole('row', { name: /Anna/ })).toBeTruthy();
  });

  it("while a page's code loads: shows it in place and opens the page by itself", async () => {
    let isCut = true;
    const roles = () => ({ queryKey: ['roles'], queryFn: () => new Promise(() => {}) });
    const administration = async () => (isCut ? Promise.reject(offline) : ({ roles } as unknown as Administration));
    await startedApp('/roles', { as: 'CustomerAdmin', appContext: { administration } });
    expect(await alertOf(network)).toBeTruthy();
    // The shell keeps working.
    expect(screen.getByRole('link', { name: 'Help' })).toBeTruthy();
    isCut = false;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByRole('heading', { level: 1, name: 'Roles' })).toBeTruthy();
    expect(screen.queryByText(network)).toBeNull();
  });

  it("before the access log's code is loaded: shown like any failed call", async () => {
    let tries = 0;
    const accessLog = async (): Promise<AccessLog> => {
      tries += 1;
      throw offline;
    };
    await startedApp('/log', { as: 'CustomerAdmin', appContext: { accessLog } });
    expect(await screen.findByText(network)).toBeTruthy();
    expect(tries).toBeGreaterThan(0);
  });
});

describe('a server error', () => {
  it('is shown to users of non-patient pages', async () => {
    const accessLog = async () =>
      ({ page: () => Promise.reject(serverError), people: () => Promise.reject(serverError) }) as unknown as AccessLog;
    await startedApp('/log', { as: 'CustomerAdmin', appContext: { accessLog } });
    expect(await screen.findByText(server)).toBeTruthy();
  });

  it('in a list of patients: shown with the reference of the request', async () => {
    const failure = { kind: 'refused', status: 500, code: 'internal', errors: [], requestId: '5f2c0a91d3e7' } as const;
    const patients = () => readable('patients', () => Promise.reject(new ServiceError(failure)));
    await startedApp('/', { queries: { patients } as Partial<AppQueries> });
    expect(await alertOf(`${internal}. Reference: 5f2c0a91d3e7`)).toBeTruthy();
  });

  it('in a list of patients: shown as an internal error', async () => {
    const patients = () => readable('patients', () => Promise.reject(serverError));
    await startedApp('/', { queries: { patients } as Partial<AppQueries> });
    expect(await alertOf(internal)).toBeTruthy();
  });

  it('in a patient: shown in place of the page, with a retry', async () => {
    let isBroken = true;
    const queries = {
      patient: () => readable('patient', async () => (isBroken ? Promise.reject(serverError) : patient())),
      studies: () => readable('studies', async () => ({ data: [], totalCount: 0 })),
    } as Partial<AppQueries>;
    await startedApp(`/patient/${idOf(1)}`, { queries });
    expect(await alertOf(internal)).toBeTruthy();
    isBroken = false;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    expect(await screen.findByText('Anna Lind')).toBeTruthy();
  });

  it("in a patient's studies: the patient stays, and the list shows it", async () => {
    const queries = {
      patient: () => readable('patient', async () => patient()),
      studies: () => readable('studies', () => Promise.reject(serverError)),
    } as Partial<AppQueries>;
    await startedApp(`/patient/${idOf(1)}`, { queries });
    expect(await alertOf(internal)).toBeTruthy();
    expect(await screen.findByText('Anna Lind')).toBeTruthy();
  });

  it('in a mount: shows that it failed to load, and opens it when it succeeds', async () => {
    let tries = 0;
    const openViewset = async () => {
      tries += 1;
      throw serverError;
    };
    const queries = {
      patient: () => readable('patient', async () => patient()),
      studies: () => readable('studies', async () => ({ data: [study()], totalCount: 1 })),
    } as Partial<AppQueries>;
    await startedApp(`/patient/${idOf(1)}/2.25.6/${idOf(7)}`, { queries, openViewset });
    expect(await alertOf('Error with loading viewset')).toBeTruthy();
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await waitFor(() => expect(tries).toBe(2));
  });

  it('in an image: shown as an internal error, and file errors by their code', async () => {
    const FailureText = ({ error }: { error: Error }) => <p>{useImageProblemText()(error, '1.2.840.10008.1.2.1')}</p>;
    await show(
      <>
        <FailureText error={serverError} />
        <FailureText error={offline} />
        <FailureText error={Object.assign(new Error('x'), { code: 'truncated' })} />
      </>,
    );
    screen.getByText(internal);
    screen.getByText(network);
    expect(screen.getByText(/is incomplete/i)).toBeTruthy();
  });
});

describe('the session', () => {
  const endTexts: Readonly<Record<SessionEndReason, string>> = {
    'password-changed': 'Your password was changed. Sign in with the new one.',
    'two-factor-changed': 'Two-factor authentication was turned on or off for your account. Sign in again.',
    'rights-changed': 'Your role, clinic or rights were changed. Sign in again to continue.',
    'account-inactive': 'Your account is inactive. Ask your administrator.',
    'signed-out-elsewhere': 'You ended this session on another device.',
    'ended-by-administrator': 'An administrator ended your session. Sign in again to continue.',
    'session-too-long': 'Your clinic limits how long a session lasts. Sign in again to continue where you were.',
  };
  const problem = "There's some problem with authorization. Please, save your data and login again";

  it('ends within 30 s after its rights changed, and the sign-in page says so', async () => {
    let permission: readonly string[] | null = null;
    const recheck = async () => permission ?? [];
    const { app, pass } = await startedApp('/nowhere', { as: 'Doctor', recheck });
    permission = [];
    expect(app.getSnapshot().children.session?.getSnapshot().matches('signedIn')).toBe(true);
    await pass(20_000);
    expect(screen.queryByText(endTexts['rights-changed'])).toBeNull();
    await pass(10_000);
    expect(await screen.findByText(endTexts['rights-changed'])).toBeTruthy();
    expect(screen.queryByText(problem)).toBeNull();
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
  });

  it('with a rejected token leads to the sign-in page, with a way to begin anew', async () => {
    const { app } = await startedApp('/nowhere');
    const failure: Failure = { kind: 'refused', status: 401, code: 'not-signed-in', errors: [] };
    act(() => app.getSnapshot().children.session?.send({ type: 'token.rejected', failure }));
    expect((await screen.findByText(problem)).closest('[role=alert]')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Restart' })).toBeTruthy();
    expect(window.location.pathname).toBe('/authorization');
  });

  it.each(sessionEndReason.options)(
    'that the archive ended because of %s says why, and asks for no saving',
    async (sessionEnd) => {
      const { app } = await startedApp('/nowhere');
      const failure: Failure = { kind: 'refused', status: 400, code: 'not-signed-in', errors: [], sessionEnd };
      act(() => app.getSnapshot().children.session?.send({ type: 'token.rejected', failure }));
      expect(await screen.findByText(endTexts[sessionEnd])).toBeTruthy();
      expect(screen.queryByText(problem)).toBeNull();
    },
  );

  it('fails when the account cannot be loaded', async () => {
    const { app } = await startedApp('/nowhere', {
      restore: () =>
        Promise.reject(new ServiceError({ kind: 'refused', status: 403, code: 'account-inactive', errors: [] })),
    });
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
    expect(app.getSnapshot().children.session?.getSnapshot().matches('signedOut')).toBe(true);
  });

  it('without a right shows which one is missing, and the rest of the app works', async () => {
    await startedApp(`/customers/${aClinic.id}/employeers`, { as: 'Doctor' });
    expect(await screen.findByText('You have no access to this page')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Patient' })).toBeTruthy();
  });
});

describe('a render error', () => {
  it('is shown in place with a report without patient data, and header and other pages work', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = { data: [{ mainInfo: null }], similar: [], totalCount: 1, isTotalExact: true, next: null };
    const patients = () => readable('patients', async () => broken);
    await startedApp('/', { queries: { patients } as unknown as Partial<AppQueries> });
    expect(await alertOf('This page stopped working')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Copy error report' })).toBeTruthy();
    act(() => screen.getByRole('link', { name: 'Help' }).click());
    expect(await screen.findByRole('heading', { level: 1, name: 'Help' })).toBeTruthy();
  });

  it('beside the page is shown in a corner, and the page works', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const administration = async () => ({}) as Administration;
    await startedApp('/nowhere', { as: 'CustomerAdmin', appContext: { administration } });
    await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /^About/, hidden: true }));
    expect(await alertOf('This page stopped working')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Page not found', hidden: true })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Help', hidden: true })).toBeTruthy();
  });
});
