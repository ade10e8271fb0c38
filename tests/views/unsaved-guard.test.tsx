import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { DrawerForm } from '../../src/views/forms/drawer-form.tsx';
import { show } from './render.tsx';

/** The part of the Navigation API for back and forward; jsdom has none. */
const aNavigation = () => {
  const traverseTo = vi.fn((_key: string) => ({ committed: Promise.resolve(), finished: Promise.resolve() }));
  return Object.assign(new EventTarget(), { traverseTo });
};
let navigation: ReturnType<typeof aNavigation>;

const traverse = (key: string, more: { readonly type?: string; readonly cancelable?: boolean } = {}) => {
  const event = new Event('navigate', { cancelable: more.cancelable ?? true });
  Object.assign(event, { navigationType: more.type ?? 'traverse', destination: { key, sameDocument: true } });
  navigation.dispatchEvent(event);
  return event.defaultPrevented;
};

const People = () => {
  const [open, setOpen] = useState(true);
  const [text, setText] = useState('');
  if (!open) return <p>List alone</p>;
  return (
    <DrawerForm title="Anna" dirty={text !== ''} onClose={() => setOpen(false)}>
      {() => <input aria-label="City" value={text} onChange={(event) => setText(event.currentTarget.value)} />}
    </DrawerForm>
  );
};

const open = async () => {
  await show(
    <>
      <Link href="/roles">Roles</Link>
      <Route path="/people">
        <People />
      </Route>
      <Route path="/roles">Page of roles</Route>
    </>,
  );
  return screen.findByLabelText('City');
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const question = () => screen.queryByText('Close without saving?');

describe('unsaved changes', () => {
  beforeEach(() => {
    navigation = aNavigation();
    Object.defineProperty(window, 'navigation', { value: navigation, configurable: true });
    window.history.replaceState(null, '', '/people');
  });
  afterEach(() => {
    vi.restoreAllMocks();
    Reflect.deleteProperty(window, 'navigation');
  });

  it('are confirmed on a link, and kept when the user continues editing', async () => {
    fireEvent.change(await open(), { target: { value: 'Lund' } });
    fireEvent.click(screen.getByText('Roles'));
    await waitFor(() => expect(question()).toBeTruthy());
    await press('Keep editing');
    await waitFor(() => expect(question()).toBeNull());
    expect(window.location.pathname).toBe('/people');
    expect(screen.getByLabelText<HTMLInputElement>('City').value).toBe('Lund');
  });

  it('are discarded for the requested page, with its history state', async () => {
    fireEvent.change(await open(), { target: { value: 'Lund' } });
    navigate('/roles', { state: { listSearch: '2384' } });
    await press('Discard changes');
    await screen.findByText('Page of roles');
    expect(window.location.pathname).toBe('/roles');
    expect(window.history.state).toEqual({ listSearch: '2384' });
    expect(question()).toBeNull();
  });

  it('are confirmed on back and forward, which continue when discarded', async () => {
    fireEvent.change(await open(), { target: { value: 'Lund' } });
    expect(traverse('after')).toBe(true);
    await press('Keep editing');
    expect(navigation.traverseTo).not.toHaveBeenCalled();
    expect(traverse('before')).toBe(true);
    await press('Discard changes');
    expect(navigation.traverseTo.mock.calls).toEqual([['before']]);
    await screen.findByText('List alone');
  });

  it('hold nothing back before and after there are any', async () => {
    const field = await open();
    expect(traverse('before')).toBe(false);
    fireEvent.change(field, { target: { value: 'Lund' } });
    fireEvent.change(field, { target: { value: '' } });
    expect(traverse('before')).toBe(false);
    fireEvent.click(screen.getByText('Roles'));
    await screen.findByText('Page of roles');
    expect(question()).toBeNull();
  });

  it('hold back no other page of the same list, no redirect, and no signed-out user', async () => {
    fireEvent.change(await open(), { target: { value: 'Lund' } });
    navigate('/people?page=2');
    expect(window.location.search).toBe('?page=2');
    expect(traverse('after', { type: 'push' })).toBe(false);
    expect(traverse('before', { cancelable: false })).toBe(false);
    navigate('/authorization');
    expect(window.location.pathname).toBe('/authorization');
    expect(question()).toBeNull();
  });
});
