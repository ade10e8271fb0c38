import 'fake-indexeddb/auto';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { accountInfo } from '../../contract/account.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { customerGet } from '../../contract/customers.ts';
import { importBegin, importsOpen } from '../../contract/import-calls.ts';
import { roleClaims } from '../../contract/roles.ts';
import { openid } from '../../contract/sign-in.ts';
import { importLimitsGet } from '../../contract/uploads.ts';
import * as views from '../../src/views/app/screen.tsx';
import { start } from '../../src/wiring/start.ts';
import { aClinic, withFreshTab } from './render-app.tsx';
import { aUser } from './signed-in-session.ts';

withFreshTab();

const user = aUser('Doctor', aClinic);
const customer = {
  ...aClinic,
  organisationNumber: null,
  customerNumber: null,
  address: null,
  city: null,
  zipcode: null,
  telephone: null,
  description: null,
  license: null,
  country: 'SE',
  useProxy: false,
  version: 1,
};
const claims = { sub: user.id, exp: 0, role: ['Doctor'], permission: defaultClaims.Doctor, customer_id: aClinic.id };
const tokens = {
  access_token: `.${btoa(JSON.stringify(claims))}.`,
  refresh_token: 'r',
  token_type: 'Bearer',
  expires_in: 300,
};
const methods = [{ method: 'password', label: null, test: false }];

/** Replies by method and path; other requests fail with 404. */
const replies: Readonly<Record<string, unknown>> = {
  [`GET ${welcome.path}`]: {
    demoAccounts: [],
    awaitsFirstAdministrator: false,
    methods,
    hasMailServer: true,
    outbox: null,
  },
  [`POST ${openid.tokenPath}`]: tokens,
  [`GET ${accountInfo.path}`]: user,
  [`GET ${customerGet.path.replace(':id', aClinic.id)}`]: customer,
  [`GET ${roleClaims.path}`]: [],
  [`GET ${importsOpen.path}`]: [],
  [`POST ${importBegin.path}`]: { id: user.id },
};

it('shows the sign-in page, then starts the machines of the session and imports chosen files', async () => {
  const requested: string[] = [];
  document.body.innerHTML = '<div id="root"></div>';
  vi.stubGlobal('fetch', async (input: Request | string | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(input, window.location.origin), init);
    const name = `${request.method} ${new URL(request.url).pathname}`;
    requested.push(name);
    const problem = { type: 'not-found', title: 'not found', status: 404, code: 'not-found' };
    return name in replies ? Response.json(replies[name]) : Response.json(problem, { status: 404 });
  });
  window.history.replaceState(null, '', '/import');
  await act(() => start(Promise.resolve(views)));
  await userEvent.type(await screen.findByLabelText('E-mail'), user.email);
  expect(new Set(requested)).toEqual(new Set([`GET ${welcome.path}`]));
  await userEvent.type(screen.getByLabelText('Password'), 'Demo-2026!{Enter}');
  const input = await screen.findByTestId('import-folder');
  expect(window.location.pathname).toBe('/import');
  await userEvent.upload(input, new File(['x'], 'a.dcm'), { applyAccept: false });
  expect(await screen.findByRole('listitem', { name: 'a.dcm' })).toBeTruthy();
  await waitFor(() => expect(requested).toContain(`GET ${importLimitsGet.path}`));
  expect(requested).toContain(`POST ${importBegin.path}`);
});
