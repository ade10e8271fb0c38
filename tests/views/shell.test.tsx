import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { toast } from '../../src/views/ui/toast.ts';
import { aClinic, openApp, startedApp, withFreshTab } from './render-app.tsx';

withFreshTab();
afterEach(() => void vi.useRealTimers());

const overlay = () => screen.queryByText('Loading Dentarium')?.parentElement ?? null;
const spins = () => overlay()?.querySelector('[data-spins]') !== null && overlay() !== null;
const header = () => screen.findByRole('banner');
const noPage = () => screen.findByRole('heading', { name: 'Page not found' });

describe('the start', () => {
  it('covers the page for 1300 ms even when the session is known, and spins from 300 ms on', async () => {
    const { pass } = await openApp('/nowhere');
    expect([overlay() !== null, spins()]).toEqual([true, false]);
    await pass(299);
    expect(spins()).toBe(false);
    await pass(1);
    expect(spins()).toBe(true);
    await pass(999);
    expect(overlay()).not.toBeNull();
    await pass(1);
    await noPage();
    expect(overlay()).toBeNull();
  });

  it('covers it until the session is known', async () => {
    let answer: (grant: FoundGrant | null) => void = () => {};
    const restore = () =>
      new Promise<FoundGrant | null>((resolve) => {
        answer = resolve;
      });
    const { pass } = await openApp('/nowhere', { restore });
    await pass(2_000);
    expect(spins()).toBe(true);
    await act(async () => answer({ renewInMs: 600_000 }));
    await noPage();
    expect(overlay()).toBeNull();
  });
});

describe('the header', () => {
  const links = async () =>
    within(await header())
      .getAllByRole('link')
      .map((link) => link.getAttribute('aria-label') ?? link.textContent);
  const names = async () =>
    within(await header())
      .getAllByRole('button')
      .map((one) => one.getAttribute('aria-label') ?? one.textContent);

  it('shows a doctor patients and gallery of the clinic, without clinics, roles or clinic chip', async () => {
    const { emitHubEvent } = await startedApp('/nowhere', { as: 'Doctor' });
    await emitHubEvent({ type: 'connection.opened' });
    expect(await links()).toEqual(['Dentarium, to the patient search', 'Patient', 'Gallery', 'Import', 'Help']);
    expect(screen.queryByText(`Current clinic: ${aClinic.name}`)).toBeNull();
    expect(screen.getByRole('combobox')).toBeTruthy();
  });

  it('shows a clinic administrator users, roles and a chip that cannot be closed', async () => {
    const { emitHubEvent } = await startedApp('/nowhere', { as: 'CustomerAdmin' });
    await emitHubEvent({ type: 'connection.opened' });
    expect(await links()).toEqual([
      'Dentarium, to the patient search',
      'Clinic',
      'Patient',
      'Gallery',
      'Import',
      'Roles',
      'Help',
    ]);
    expect(screen.getByText(`Current clinic: ${aClinic.name}`)).toBeTruthy();
    expect(await names()).not.toContain(`Leave clinic ${aClinic.name}`);
  });

  it('shows a super administrator without a clinic the clinic list, without tabs and import', async () => {
    await startedApp('/nowhere', { as: 'SuperAdmin' });
    expect(await links()).toEqual(['Dentarium, to the patient search', 'Clinics', 'Roles', 'Help']);
    expect(await names()).not.toContain('Import');
  });

  it('lets a super administrator leave the clinic by its chip, back to the list', async () => {
    const { app } = await startedApp('/nowhere', { as: 'SuperAdmin' });
    const long = { ...aClinic, name: 'Folktandvården Östersund Söder' };
    act(() => app.getSnapshot().children.session?.send({ type: 'clinic.chosen', clinic: long }));
    const chip = (await screen.findByText(`Current clinic: ${long.name}`)).parentElement?.parentElement;
    // Names of 25 or more characters are cut to 21 and an ellipsis.
    expect(chip?.textContent).toContain('Folktandvården Östers…');
    expect(await links()).not.toContain('Clinics');
    await userEvent.click(screen.getByRole('button', { name: `Leave clinic ${long.name}` }));
    expect(await links()).toContain('Clinics');
    await waitFor(() => expect(window.location.pathname).toBe('/customers'));
  });

  it('disables import while the hub is disconnected, and shows why', async () => {
    const { emitHubEvent, pass } = await startedApp('/nowhere', { as: 'Doctor' });
    const importButton = async () =>
      within(await header()).getByRole<HTMLButtonElement>('button', {
        name: 'Import is not available: no live connection to the archive',
      });
    expect((await importButton()).disabled).toBe(true);
    await emitHubEvent({ type: 'connection.opened' });
    expect(await links()).toContain('Import');
    await emitHubEvent({ type: 'connection.lost' });
    expect((await importButton()).disabled).toBe(true);
    await emitHubEvent({ type: 'connection.closed' });
    await pass(5_000);
    await emitHubEvent({ type: 'connection.opened' });
    expect(await links()).toContain('Import');
  });

  it('confirms before signing out', async () => {
    await startedApp('/nowhere');
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out …' }));
    const question = await screen.findByRole('dialog', { hidden: true });
    expect(window.location.pathname).toBe('/nowhere');
    await userEvent.click(within(question).getByRole('button', { name: 'Sign out', hidden: true }));
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
  });
});

describe('language', () => {
  const language = () => document.documentElement.lang;

  it("is Swedish by default, whatever the browser's language", async () => {
    localStorage.clear();
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
    await startedApp('/nowhere');
    expect(language()).toBe('sv');
    await screen.findByRole('heading', { name: 'Sidan finns inte' });
  });

  it.each([
    ['English', 'en', 'en', 'Page not found'],
    ['Dansk', 'da', 'da', 'Siden findes ikke'],
    ['Norsk', 'no', 'nb', 'Siden finnes ikke'],
  ])('changes to %s everywhere at once, and is stored', async (name, code, tag, title) => {
    localStorage.clear();
    await startedApp('/nowhere');
    await userEvent.click(await screen.findByRole('button', { name: 'Inställningar' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name, hidden: true }));
    await screen.findByRole('heading', { name: title, hidden: true });
    expect(language()).toBe(tag);
    expect(JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}').language).toBe(code);
  });

  it('is restored at the next start', async () => {
    localStorage.setItem('dentarium.preferences', JSON.stringify({ language: 'no' }));
    await startedApp('/nowhere');
    await screen.findByRole('heading', { name: 'Siden finnes ikke' });
  });
});

describe('the theme', () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  const goTo = (path: string) => act(async () => window.history.pushState(null, '', path));
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name, hidden: true }));
  };

  it('is mixed by default: search, gallery and patient are dark, others light', async () => {
    await startedApp('/nowhere');
    await noPage();
    expect(scheme()).toBe('light');
    for (const path of ['/', `/${aClinic.id}`, `/${aClinic.id}/gallery`, `/patient/${aClinic.id}`]) {
      await goTo(path);
      expect([path, scheme()]).toEqual([path, 'dark']);
    }
    await goTo('/roles');
    expect(scheme()).toBe('light');
  });

  it('is light or dark everywhere when chosen, and is stored', async () => {
    await startedApp('/nowhere');
    await choose('Dark');
    await waitFor(() => expect(scheme()).toBe('dark'));
    await choose('Light');
    await waitFor(() => expect(scheme()).toBe('light'));
    await goTo('/');
    expect(scheme()).toBe('light');
    expect(JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}').theme).toBe('light');
  });

  it('is that of the expected user before the session is known', async () => {
    const restore = () => new Promise<never>(() => {});
    await openApp('/', { restore });
    expect(scheme()).toBe('dark');
    cleanup();
    await openApp('/', { restore, appContext: { expectsSignIn: false } });
    expect(scheme()).toBe('light');
  });

  it('of the sign-in page is never dark in the mixed theme', async () => {
    await startedApp('/', { as: null });
    expect(scheme()).toBe('light');
  });
});

describe('the browser’s context menu', () => {
  it('is suppressed except in text fields', async () => {
    await startedApp('/nowhere');
    const opens = (element: Element) => fireEvent.contextMenu(element);
    expect(opens(await noPage())).toBe(false);
    expect(opens(await header())).toBe(false);
    expect(opens(screen.getByRole('combobox'))).toBe(true);
    const add = (html: string) => {
      const place = document.body.appendChild(document.createElement('div'));
      place.innerHTML = html;
      return place.firstElementChild ?? place;
    };
    for (const html of ['<textarea></textarea>', '<input type="password">', '<p contenteditable="true">x</p>'])
      expect([html, opens(add(html))]).toEqual([html, true]);
    for (const html of ['<input type="checkbox">', '<input type="range">', '<canvas></canvas>', '<button>x</button>'])
      expect([html, opens(add(html))]).toEqual([html, false]);
  });
});

describe('toasts', () => {
  const showToast = (text: string) => act(async () => toast({ tone: 'bad', text, close: 'Close' }));
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  const shown = (text: string) => screen.queryAllByText(text);

  it('are shown at the bottom left for 8 s, never twice, and can be closed', async () => {
    await startedApp('/nowhere');
    await noPage();
    await waitFor(() => expect(document.querySelector('[data-position="bottom-left"]')).toBeTruthy());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await showToast('Not saved');
    await showToast('Not saved');
    expect(shown('Not saved')).toHaveLength(1);
    expect(shown('Not saved')[0]?.closest('[data-position]')?.getAttribute('data-position')).toBe('bottom-left');
    await pass(7_900);
    expect(shown('Not saved')).toHaveLength(1);
    await pass(100);
    // The closing animation.
    await pass(500);
    expect(shown('Not saved')).toHaveLength(0);
    await showToast('Not sent');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await pass(500);
    expect(shown('Not sent')).toHaveLength(0);
  });
});

describe('URLs', () => {
  it('of development pages lead to the not-found page', async () => {
    await startedApp('/dev');
    await noPage();
    expect(window.location.pathname).toBe('/404');
  });

  it.each([
    ['/patient', '/'],
    ['/authorization', '/'],
    ['/auth/signin-aad', '/'],
    ['/authorization/password/forgot', '/'],
    [`/customers/${aClinic.id}`, `/customers/${aClinic.id}/employeers`],
  ])('%s redirects a signed-in user to %s', async (from, to) => {
    await startedApp(from, { as: 'CustomerAdmin' });
    await waitFor(() => expect(window.location.pathname).toBe(to));
  });

  it.each(['/nowhere', '/patient/x', '/x/gallery', '/customers/x/employeers', '/a/b/c/d/e'])(
    '%s shows the not-found page',
    async (address) => {
      await startedApp(address);
      await noPage();
    },
  );

  it('require choosing a clinic when none is open', async () => {
    await startedApp('/', { as: 'SuperAdmin' });
    expect(await screen.findByText('Choose clinic to view patients')).toBeTruthy();
  });
});
