import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished } from 'vitest';
import { customerCreate, customerGet, customerUpdate } from '../../contract/customers.ts';
import { returnFocusOnClose } from '../../src/views/app/shell/focus-return.ts';
import {
  bodyOf,
  choose,
  clinic,
  ljungheden,
  menuOf,
  openClinics,
  refused,
  usual,
  withClinicsPage,
} from './clinics-fixture.tsx';
import { idOf } from './records.ts';

withClinicsPage();

describe('the form of a clinic', () => {
  const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });

  it('creates a clinic; errors appear at their fields and the first gets focus', async () => {
    const { calls } = await openClinics((called) =>
      called.route === customerCreate ? clinic(3, 'Nya kliniken') : usual(called),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Add clinic' }));
    await userEvent.type(await field(/^Name/), 'N{Enter}');
    expect(await screen.findByText('2 to 200 characters')).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await field(/^Name/)));
    await userEvent.type(await field(/^Name/), 'ya kliniken');
    await userEvent.type(await field(/^Address/), 'Torget 2');
    const shares = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Share images by link/ });
    expect(shares.checked).toBe(false);
    await userEvent.click(shares);
    const years = screen.getByRole<HTMLInputElement>('textbox', { name: /^Retention in years/ });
    expect(years.value).toBe('10');
    await userEvent.clear(years);
    await userEvent.type(years, '15');
    await userEvent.type(await field(/^Telephone/), '08-123{Enter}');
    await waitFor(() =>
      expect(bodyOf(calls, customerCreate)).toMatchObject({
        organisationName: 'Nya kliniken',
        address: 'Torget 2',
        telephone: '08-123',
        country: 'SE',
        useProxy: false,
        sharesByLink: true,
        retentionYears: 15,
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add clinic' })).toBeNull());
  });

  it('sets that records are never destroyed', async () => {
    const { calls } = await openClinics((called) => (called.route === customerUpdate ? ljungheden : usual(called)));
    await menuOf('Ljungheden');
    await choose(/Edit clinic/);
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Records are never destroyed/ }));
    expect(screen.queryByRole('textbox', { name: /^Retention in years/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodyOf(calls, customerUpdate)).toMatchObject({ retentionYears: null }));
  });

  it('takes other viewers, whose address must contain the place of the study', async () => {
    const { calls } = await openClinics((called) => (called.route === customerUpdate ? ljungheden : usual(called)));
    await menuOf('Ljungheden');
    await choose(/Edit clinic/);
    await userEvent.click(await screen.findByRole('button', { name: 'Add viewer' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add viewer' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove viewer 2' }));
    const address = (await screen.findAllByRole<HTMLInputElement>('textbox', { name: /^Address/ })).at(-1);
    if (!address) throw new Error('no address');
    await userEvent.type(address, 'javascript:alert("{{study}")');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Enter a name')).toBeTruthy();
    expect(screen.getByText('An address with https:, http: or weasis: that contains {study}')).toBeTruthy();
    await userEvent.clear(address);
    await userEvent.type(address, 'https://viewer.example/{{study}');
    await userEvent.type((await screen.findAllByRole('textbox', { name: /^Name/ })).at(-1) ?? address, 'OHIF');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodyOf(calls, customerUpdate)).toMatchObject({
        viewers: [{ name: 'OHIF', address: 'https://viewer.example/{study}' }],
      }),
    );
  });

  it('reports a version conflict and loads the newer values', async () => {
    let theirs = ljungheden;
    const { calls } = await openClinics((called) => {
      if (called.route === customerGet) return theirs;
      if (called.route !== customerUpdate) return usual(called);
      const { version } = called.body as { version: number };
      if (version !== theirs.version) throw refused('conflict');
      return theirs;
    });
    await menuOf('Ljungheden');
    await choose(/Edit clinic/);
    theirs = { ...ljungheden, telephone: '018-99 99 99', version: 4 };
    await userEvent.type(await field(/^City/), ' norr{Enter}');
    expect(await screen.findByText(/Another user changed this at the same time/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Load current version' }));
    await waitFor(async () => expect((await field(/^Telephone/)).value).toBe('018-99 99 99'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(calls.filter(({ route }) => route === customerUpdate)).toHaveLength(2));
    expect(calls.findLast(({ route }) => route === customerUpdate)?.body).toMatchObject({ id: idOf(1), version: 4 });
  });

  it('confirms before unsaved changes are discarded, and restores focus', async () => {
    onTestFinished(returnFocusOnClose(document));
    await openClinics();
    const add = await screen.findByRole('button', { name: 'Add clinic' });
    add.focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.type(await field(/^Name/), 'Half');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect((await field(/^Name/)).value).toBe('Half');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Name/ })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(add));
  });
});
