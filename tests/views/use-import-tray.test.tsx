import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useImportTray } from '../../src/views/app/use-import-tray.ts';

const trayAt = (path: string) => {
  const { result, rerender } = renderHook((place: string) => useImportTray(place), { initialProps: path });
  return {
    goTo: (next: string) => rerender(next),
    isOpen: () => result.current.isOpen,
    run: (what: 'onImportStarted' | 'toggle' | 'close') => act(() => void result.current[what]()),
  };
};

it('an import opens the panel with its patient, and not over another one', () => {
  const tray = trayAt('/patient/anna/1.2/v');
  tray.run('onImportStarted');
  expect(tray.isOpen()).toBe(true);
  tray.goTo('/patient/anna/3.4');
  expect(tray.isOpen()).toBe(true);
  tray.goTo('/patient/olle');
  expect(tray.isOpen()).toBe(false);
  tray.goTo('/patient/anna');
  expect(tray.isOpen()).toBe(true);
  tray.run('close');
  expect(tray.isOpen()).toBe(false);
});

it('stays open everywhere when the user opened it, but for the import page', () => {
  const tray = trayAt('/patient/anna');
  tray.run('toggle');
  tray.goTo('/patient/olle');
  expect(tray.isOpen()).toBe(true);
  tray.goTo('/import');
  expect(tray.isOpen()).toBe(false);
  tray.goTo('/');
  expect(tray.isOpen()).toBe(true);
  tray.run('toggle');
  expect(tray.isOpen()).toBe(false);
});
