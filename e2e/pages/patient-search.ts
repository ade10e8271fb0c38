import { expect, type Page } from '@playwright/test';
import edit from '../../locales/no/edit.json' with { type: 'json' };
import lists from '../../locales/no/lists.json' with { type: 'json' };
import merge from '../../locales/no/merge.json' with { type: 'json' };
import search from '../../locales/no/search.json' with { type: 'json' };

const named = (text: string, name: string) => text.replace('{{name}}', name);

/** Search, delete and merge patients in Norwegian, by keyboard only. */
export const patientSearch = (page: Page) => {
  const press = (...keys: readonly string[]) =>
    keys.reduce<Promise<void>>((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const isFocused = (name: string | RegExp) =>
    page.evaluate(
      ({ source, exact }) => {
        const focused = document.activeElement;
        const label = focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
        return exact ? label.trim() === source : new RegExp(source).test(label);
      },
      typeof name === 'string' ? { source: name, exact: true } : { source: name.source, exact: false },
    );
  /** Presses Tab until an element of that name has focus. */
  const tabTo = async (name: string | RegExp) => {
    for (let step = 0; step < 120; step++) {
      if (await isFocused(name)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  /** Moves down the open menu to an item of that name and selects it. */
  const chooseOfMenu = async (item: string) => {
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible();
    await expect(async () => {
      if (!(await isFocused(item))) await page.keyboard.press('ArrowDown');
      expect(await isFocused(item)).toBe(true);
    }).toPass({ intervals: [100] });
    await press('Enter');
  };
  const hits = page.getByRole('listbox', { name: search.hits }).getByRole('option');
  const card = page.getByRole('heading', { level: 1 });
  const toSearchBox = async () => {
    const box = page.getByRole('combobox', { name: search.box });
    await expect(box).toBeVisible();
    await press('/');
    await expect(box).toBeFocused();
  };
  return {
    press,
    toSearchBox,
    tabTo,
    row: (name: RegExp) => page.getByRole('row', { name }),
    /** The latest toast of that text; an earlier one may still be visible. */
    showsToast: (text: string) => expect(page.getByRole('alert').filter({ hasText: text }).last()).toBeVisible(),
    /** Presses slash, types part of the number or name, selects the first hit. */
    open: async (text: string, name: string) => {
      await toSearchBox();
      await page.keyboard.type(text);
      await expect(hits.first()).toBeVisible();
      await press('ArrowDown', 'Enter');
      await expect(page).toHaveURL(/\/patient\//);
      await expect(card).toHaveText(name);
    },
    /** Selects an item in the menu of the open patient. */
    chooseOfPatient: async (name: string, item: keyof typeof edit) => {
      await tabTo(named(edit.menu, name));
      await press('Enter');
      await chooseOfMenu(edit[item]);
    },
    /** Selects an item in the menu of a row. */
    chooseOfRow: async (name: string, item: keyof typeof edit) => {
      await tabTo(named(lists.moreFor, name));
      await press('Enter');
      await chooseOfMenu(edit[item]);
    },
    confirmDeletion: async () => {
      const dialog = page.getByRole('dialog', { name: edit['delete-patient'] });
      await expect(dialog).toBeVisible();
      await tabTo(edit.delete);
      await press('Enter');
      await expect(dialog).toBeHidden();
    },
    /** In the merge dialog: finds the other patient, checks the preview, confirms, merges. */
    mergeInto: async (text: string, name: string) => {
      await expect(page.getByLabel(merge.find)).toBeFocused();
      await page.keyboard.type(text);
      await expect(hits.first()).toBeVisible();
      await press('ArrowDown', 'Enter');
      const box = page.getByRole('checkbox', { name: named(merge.understood, name) });
      await expect(box).toBeFocused();
      await press(' ');
      await expect(box).toBeChecked();
      await tabTo(merge.move);
      await press('Enter');
      await expect(page.getByRole('dialog')).toBeHidden();
    },
  };
};
