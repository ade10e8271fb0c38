import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { toast } from '../../src/views/parts/toast.ts';
import { aClinic, openApp, startedApp, withFreshTab } from './app-of.tsx';

withFreshTab();
afterEach(() => void vi.useRealTimers());

const overlay = () => screen.queryByText('Loading Dentarium')?.parentElement ?? null;
const spins = () => overlay()?.querySelector('[data-spins]') !== null && overlay() !== null;
const header = () => screen.findByRole('banner');
const noPage = () => screen.findByRole('heading', { name: 'There is no such page' });

describe('the start', () => {
  it('covers the page for 1300 ms, however soon it is known who is there, and spins from 300 ms on', async () => {
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

  it('covers it for as long as nobody knows who is there', async () => {
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

  it('shows a doctor the patients and the gallery of the clinic, and no way to clinics, roles or the chip', async () => {
    const { hear } = await startedApp('/nowhere', { as: 'Doctor' });
    await hear({ type: 'connection.opened' });
    expect(await links()).toEqual(['Dentarium, to the patient search', 'Patient', 'Gallery', 'Import', 'Help']);
    expect(screen.queryByText(`Current clinic: ${aClinic.name}`)).toBeNull();
    expect(screen.getByRole('combobox')).toBeTruthy();
  });

  it('shows an administrator of a clinic its people, the roles and the chip, which cannot be closed', async () => {
    const { hear } = await startedApp('/nowhere', { as: 'CustomerAdmin' });
    await hear({ type: 'connection.opened' });
    expect(await links()).toEqual([
      ...['Dentarium, to the patient search', 'Clinic', 'Patient', 'Gallery', 'Import', 'Roles', 'Help'],
    ]);
    expect(screen.getByText(`Current clinic: ${aClinic.name}`)).toBeTruthy();
    expect(await names()).not.toContain(`Leave clinic ${aClinic.name}`);
  });

  it('shows a super administrator without a clinic the list of clinics, and neither tabs nor import', async () => {
    await startedApp('/nowhere', { as: 'SuperAdmin' });
    expect(await links()).toEqual(['Dentarium, to the patient search', 'Clinics', 'Roles', 'Help']);
    expect(await names()).not.toContain('Import');
  });

  it('lets a super administrator leave the clinic by its chip, back to the list', async () => {
    const { app } = await startedApp('/nowhere', { as: 'SuperAdmin' });
    const long = { ...aClinic, name: 'Folktandvården Östersund Söder' };
    act(() => app.getSnapshot().children.session?.send({ type: 'clinic.chosen', clinic: long }));
    const chip = (await screen.findByText(`Current clinic: ${long.name}`)).parentElement?.parentElement;
    // 25 letters and more are cut to 21 and an ellipsis.
    expect(chip?.textContent).toContain('Folktandvården Östers…');
    expect(await links()).not.toContain('Clinics');
    await userEvent.click(screen.getByRole('button', { name: `Leave clinic ${long.name}` }));
    expect(await links()).toContain('Clinics');
    await waitFor(() => expect(window.location.pathname).toBe('/customers'));
  });

  it('bars importing while the archive cannot tell how imports stand, and says why', async () => {
    const { hear, pass } = await startedApp('/nowhere', { as: 'Doctor' });
    const barred = async () =>
      within(await header()).getByRole<HTMLButtonElement>('button', {
        name: 'Import waits: no live connection to the archive',
      });
    expect((await barred()).disabled).toBe(true);
    await hear({ type: 'connection.opened' });
    expect(await links()).toContain('Import');
    await hear({ type: 'connection.lost' });
    expect((await barred()).disabled).toBe(true);
    await hear({ type: 'connection.closed' });
    await pass(5_000);
    await hear({ type: 'connection.opened' });
    expect(await links()).toContain('Import');
  });

  it('asks before it signs out', async () => {
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

  it('is Swedish until another is chosen, in a browser of whatever language', async () => {
    localStorage.clear();
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
    await startedApp('/nowhere');
    expect(language()).toBe('sv');
    await screen.findByRole('heading', { name: 'Sidan finns inte' });
  });

  it.each([
    ['English', 'en', 'en', 'There is no such page'],
    ['Dansk', 'da', 'da', 'Siden findes ikke'],
    ['Norsk', 'no', 'nb', 'Siden finnes ikke'],
  ])('changes to %s everywhere at once, and is kept', async (name, code, tag, title) => {
    localStorage.clear();
    await startedApp('/nowhere');
    await userEvent.click(await screen.findByRole('button', { name: 'Inställningar' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name, hidden: true }));
    await screen.findByRole('heading', { name: title, hidden: true });
    expect(language()).toBe(tag);
    expect(JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}').language).toBe(code);
  });

  it('that was kept is spoken at the next start', async () => {
    localStorage.setItem('dentarium.preferences', JSON.stringify({ language: 'no' }));
    await startedApp('/nowhere');
    await screen.findByRole('heading', { name: 'Siden finnes ikke' });
  });
});

describe('light', () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  const goTo = (path: string) => act(async () => window.history.pushState(null, '', path));
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name, hidden: true }));
  };

  it('is mixed at first: search, gallery and patient are dark, all else is light', async () => {
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

  it('is light or dark everywhere where that was chosen, and is kept', async () => {
    await startedApp('/nowhere');
    await choose('Dark');
    await waitFor(() => expect(scheme()).toBe('dark'));
    await choose('Light');
    await waitFor(() => expect(scheme()).toBe('light'));
    await goTo('/');
    expect(scheme()).toBe('light');
    expect(JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}').theme).toBe('light');
  });

  it('is that of somebody who is expected before it is known who is there', async () => {
    const restore = () => new Promise<never>(() => {});
    await openApp('/', { restore });
    expect(scheme()).toBe('dark');
    cleanup();
    await openApp('/', { restore, ground: { expectsSomebody: false } });
    expect(scheme()).toBe('light');
  });

  it('of the sign-in page is never dark by being mixed', async () => {
    await startedApp('/', { as: null });
    expect(scheme()).toBe('light');
  });
});

describe('the browser’s own menu', () => {
  it('stays away everywhere but in text fields', async () => {
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
  const says = (text: string) => act(async () => toast({ tone: 'bad', text, close: 'Close' }));
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  const shown = (text: string) => screen.queryAllByText(text);

  it('stand at the bottom left for 8 s, never twice, and can be closed', async () => {
    await startedApp('/nowhere');
    await noPage();
    await waitFor(() => expect(document.querySelector('[data-position="bottom-left"]')).toBeTruthy());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await says('Not saved');
    await says('Not saved');
    expect(shown('Not saved')).toHaveLength(1);
    expect(shown('Not saved')[0]?.closest('[data-position]')?.getAttribute('data-position')).toBe('bottom-left');
    await pass(7_900);
    expect(shown('Not saved')).toHaveLength(1);
    await pass(100);
    // It slides away.
    await pass(500);
    expect(shown('Not saved')).toHaveLength(0);
    await says('Not sent');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await pass(500);
    expect(shown('Not sent')).toHaveLength(0);
  });
});

describe('addresses', () => {
  it('of a developer lead to the page that says that there is none', async () => {
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
  ])('%s leads somebody signed in to %s', async (from, to) => {
    await startedApp(from, { as: 'CustomerAdmin' });
    await waitFor(() => expect(window.location.pathname).toBe(to));
  });

  it.each(['/nowhere', '/patient/x', '/x/gallery', '/customers/x/employeers', '/a/b/c/d/e'])(
    '%s is told to be none',
    async (address) => {
      await startedApp(address);
      await noPage();
    },
  );

  it('are asked for a clinic first where somebody has none and may choose one', async () => {
    await startedApp('/', { as: 'SuperAdmin' });
    expect(await screen.findByText('Choose clinic to view patients')).toBeTruthy();
  });
});
