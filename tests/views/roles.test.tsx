import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { roleClaimsUpdate, roleCreate } from '../../contract/roles.ts';
import {
  assistant,
  chosen,
  disabledReason,
  hygienist,
  openRoles,
  press,
  refused,
  tick,
  user,
} from './roles-fixture.tsx';

// jsdom has no layout; a list with a chosen option scrolls to it.
Element.prototype.scrollIntoView ??= () => {};

beforeEach(() => window.history.replaceState(null, '', '/roles'));

describe('the roles page', () => {
  it('lists roles by rank, with their claims and users', async () => {
    await openRoles();
    const names = within(screen.getByRole('navigation')).getAllByRole('button');
    expect(names.map(({ textContent }) => textContent)).toEqual([
      'System administratorRank 0Your roleBuilt in',
      'Clinic administratorRank 1Built in',
      'Medical personnelRank 2Built in',
      'HygienistRank 3',
      'AssistantRank 4',
    ]);
    await user.click(chosen(/Hygienist/));
    expect(chosen(/Hygienist/).getAttribute('aria-current')).toBe('true');
    expect(await screen.findByText('12 users have the role in 3 clinics')).toBeTruthy();
    expect(window.location.search).toBe(`?role=${hygienist.id}`);
    expect([tick('See colleagues').checked, tick('See roles').checked, tick('Delete studies').checked]).toEqual([
      true,
      false,
      true,
    ]);
    await press('Users with the role');
    expect(await screen.findByText('Ebba Ek')).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(chosen(/Assistant/));
    expect(tick('Delete studies').checked).toBe(false);
    expect(await screen.findByText('No user has the role')).toBeTruthy();
  });

  it('shows why actions are disabled', async () => {
    await openRoles(undefined, { permission: ['role.get', 'role.update'] });
    expect(disabledReason('New role')).toBe('You have no rights to do this. Missing right: “Add roles”');
    expect(disabledReason('Name and rank')).toBe('You cannot change your own role');
    await user.click(chosen(/Hygienist/));
    expect(disabledReason('Delete')).toBe('You have no rights to do this. Missing right: “Delete roles”');
    expect(screen.getByRole('button', { name: 'Name and rank' }).getAttribute('aria-disabled')).toBe('false');
    // Claims that the user lacks cannot be granted; existing ones can be removed.
    expect([tick('See users of own clinic').disabled, tick('See colleagues').disabled]).toEqual([true, false]);
  });

  it('does not edit the own rank or the highest', async () => {
    await openRoles(undefined, { role: 'CustomerAdmin', permission: ['role.get', 'role.update', 'role.delete'] });
    await user.click(chosen(/Clinic administrator/));
    expect(tick('See roles').disabled).toBe(true);
    await user.click(chosen(/Medical personnel/));
    expect(disabledReason('Delete')).toMatch(/built-in roles keep their name/);
    expect(tick('See colleagues').disabled).toBe(false);
  });
});

describe('claims', () => {
  it('are saved together, with a warning about affected sessions', async () => {
    const { calls } = await openRoles();
    await user.click(chosen(/Hygienist/));
    await user.click(tick('Delete studies'));
    await user.click(tick('See roles'));
    expect(screen.getByRole('status').textContent).toMatch(/2 unsaved changes.*12 users are signed out/);
    await press('Save');
    await waitFor(() => expect(screen.queryByText(/unsaved change/)).toBeNull());
    expect(calls().map(({ body }) => body)).toEqual([
      {
        id: hygienist.id,
        roleClaims: ['user.get_any', 'customer.get_itself', 'disable.delete_study', 'role.get'],
        version: 4,
      },
    ]);
    expect([tick('Delete studies').checked, tick('See roles').checked]).toEqual([false, true]);
  });

  it('ask for confirmation before unsaved changes are left', async () => {
    const { calls } = await openRoles();
    await user.click(chosen(/Hygienist/));
    await user.click(tick('See roles'));
    await user.click(chosen(/Assistant/));
    const dialog = await screen.findByRole('dialog', { name: 'Close without saving?' });
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
    expect(tick('See roles').checked).toBe(true);
    await user.click(chosen(/Assistant/));
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(chosen(/Assistant/).getAttribute('aria-current')).toBe('true'));
    expect(tick('See roles').checked).toBe(false);
    expect(calls()).toEqual([]);
  });

  it('of a group are ticked and unticked together', async () => {
    await openRoles();
    await user.click(chosen(/Hygienist/));
    await user.click(tick('All rights in Roles'));
    expect([tick('See roles').checked, tick('Delete roles').checked]).toEqual([true, true]);
    await user.click(tick('All rights in Roles'));
    expect(tick('See roles').checked).toBe(false);
  });

  it('are not overwritten on a version conflict', async () => {
    let quicker = true;
    await openRoles(({ route }) => {
      if (route === roleClaimsUpdate && quicker) throw refused('conflict');
    });
    await user.click(chosen(/Hygienist/));
    await user.click(tick('See roles'));
    await press('Save');
    expect(await screen.findByText(/Another user changed this/)).toBeTruthy();
    quicker = false;
    await press('Load current version');
    await waitFor(() => expect(tick('See roles').checked).toBe(false));
    expect(screen.queryByText(/Another user changed this/)).toBeNull();
  });

  it('rejected by the server show the missing claim', async () => {
    await openRoles(({ route }) => {
      if (route === roleClaimsUpdate) throw refused('no-right', { claims: ['customer.get_byid'] });
    });
    await user.click(chosen(/Hygienist/));
    await user.click(tick('See roles'));
    await press('Save');
    expect(await screen.findByText(/Missing right: “Work in all clinics”/)).toBeTruthy();
    expect(tick('See roles').checked).toBe(true);
  });
});

describe('the preview', () => {
  it('shows allowed and disabled actions and the missing claim, including unsaved changes', async () => {
    await openRoles();
    await user.click(chosen(/Assistant/));
    await user.click(screen.getByRole('tab', { name: 'See as' }));
    const records = await screen.findByRole('region', { name: 'Patients and images' });
    expect(within(records).getByText('Missing right: “Delete studies”')).toBeTruthy();
    expect(within(records).getAllByRole('img', { name: 'Not allowed' })).toHaveLength(2);
    expect(screen.getByText('Start page: Patients of a clinic')).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Rights' }));
    await user.click(tick('See roles'));
    await user.click(screen.getByRole('tab', { name: 'See as' }));
    expect(await screen.findByText('Including unsaved changes')).toBeTruthy();
    const bar = screen.getByRole('list', { name: 'At the top of the page' });
    expect(within(bar).getByText('Roles')).toBeTruthy();
  });

  it('and the rights say when a user with the role cannot sign in', async () => {
    await openRoles();
    await user.click(chosen(/Hygienist/));
    expect(screen.queryByText(/cannot sign in/)).toBeNull();
    await user.click(tick('See own clinic'));
    expect(screen.getByText('Users with this role cannot sign in. Allow “See own clinic”.')).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'See as' }));
    expect(await screen.findByText(/^Users with this role cannot sign in\. Missing right/)).toBeTruthy();
    expect(screen.queryByText(/^Start page/)).toBeNull();
  });
});

describe('a role', () => {
  it('is created with the claims of another, and then selected', async () => {
    const { calls } = await openRoles();
    await press('New role');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Receptionist');
    await user.click(screen.getByRole('combobox', { name: 'Copy rights from' }));
    await user.click(await screen.findByRole('option', { name: 'Assistant', hidden: true }));
    await press('Add role');
    await waitFor(() => expect(chosen(/Receptionist/).getAttribute('aria-current')).toBe('true'));
    const roleClaims = ['user.get_any', 'customer.get_itself', 'disable.delete_study'];
    expect(calls().map(({ body }) => body)).toEqual([{ name: 'Receptionist', rank: 3, roleClaims }]);
  });

  it('starts from medical personnel, or from what signing in needs', async () => {
    const { calls } = await openRoles();
    await press('New role');
    const source = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Copy rights from' });
    expect(source.value).toBe('Medical personnel');
    await user.click(source);
    await user.click(await screen.findByRole('option', { name: 'Medical personnel', hidden: true }));
    expect(source.value).toBe('');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Receptionist');
    await press('Add role');
    await waitFor(() => expect(chosen(/Receptionist/).getAttribute('aria-current')).toBe('true'));
    expect(calls().map(({ body }) => body)).toEqual([
      { name: 'Receptionist', rank: 3, roleClaims: ['customer.get_itself'] },
    ]);
  });

  it('is copied; a duplicate name is reported at its focused field', async () => {
    await openRoles(({ route }) => {
      if (route === roleCreate) throw refused('role-name-taken', { errors: [{ fieldKey: 'name' }] });
    });
    await user.click(chosen(/Hygienist/));
    await press('Copy');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
    expect(name.value).toBe('Copy of Hygienist');
    await press('Add role');
    expect(await screen.findByText('A role with this name already exists')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('is renamed within the length limits, also with Enter', async () => {
    const { calls } = await openRoles();
    await user.click(chosen(/Hygienist/));
    await press('Name and rank');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'ab{Enter}');
    expect(await screen.findByText('Must be 3 to 256 characters')).toBeTruthy();
    expect(document.activeElement).toBe(name);
    await user.type(name, 'c{Enter}');
    await waitFor(() =>
      expect(calls().map(({ body }) => body)).toEqual([{ id: hygienist.id, name: 'abc', rank: 3, version: 4 }]),
    );
    expect(await within(screen.getByRole('navigation')).findByRole('button', { name: /abc/ })).toBeTruthy();
  });

  it('is deleted with a replacement for its users, who are listed first', async () => {
    const { calls } = await openRoles();
    await user.click(chosen(/Hygienist/));
    await press('Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete Hygienist?' });
    expect(await within(dialog).findByText(/12 users have the role in 3 clinics/)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Delete the role' }));
    expect(within(dialog).getByText('Fill in this field')).toBeTruthy();
    expect(calls()).toEqual([]);
    await user.click(within(dialog).getByRole('combobox', { name: 'Replacement role' }));
    await user.click(await screen.findByRole('option', { name: 'Assistant', hidden: true }));
    await user.click(within(dialog).getByRole('button', { name: 'Delete the role' }));
    await waitFor(() => expect(within(screen.getByRole('navigation')).queryByText('Hygienist')).toBeNull());
    expect(calls().map(({ body }) => body)).toEqual([{ deletingRoleId: hygienist.id, applyingRoleId: assistant.id }]);
    expect(chosen(/Assistant/).getAttribute('aria-current')).toBe('true');
  });

  it('without users is deleted after confirmation', async () => {
    const { calls } = await openRoles();
    await user.click(chosen(/Assistant/));
    await press('Delete');
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/No user has the role/)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Delete the role' }));
    await waitFor(() =>
      expect(calls().map(({ body }) => body)).toEqual([{ deletingRoleId: assistant.id, applyingRoleId: null }]),
    );
  });
});
