import { Button, Modal } from '@mantine/core';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSignInPath } from '../app/paths.ts';
import classes from './form.module.css';

interface UnsavedDialogProps {
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Confirms discarding unsaved changes. Render it only while open: a mounted one also receives the key press that opened it. */
export const UnsavedDialog = ({ onDiscard, onKeep }: UnsavedDialogProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  return (
    <Modal
      opened
      onClose={onKeep}
      title={t('unsavedTitle')}
      size={400}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <p>{t('unsavedText')}</p>
      <div className={classes.buttons} data-below-text>
        <Button variant="default" onClick={onDiscard}>
          {t('discard')}
        </Button>
        <Button data-autofocus onClick={onKeep}>
          {t('keepEditing')}
        </Button>
      </div>
    </Modal>
  );
};

/** Makes the browser confirm leaving or reloading the page while there are unsaved changes. */
export const useUnsavedWarning = (dirty: boolean): void => {
  useEffect(() => {
    if (!dirty) return undefined;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [dirty]);
};

/** A navigation held back because of unsaved changes. */
interface Leaving {
  /** Continues the navigation. */
  readonly go: () => void;
  readonly stay: () => void;
}

type Guard = (go: () => void) => void;

/** Active guards; the last one decides. While there are any, navigation is intercepted. */
const guards: Guard[] = [];

const isOtherPage = (url: string | URL | null | undefined) => {
  const { pathname } = new URL(url ?? '', window.location.href);
  // A sign-out is never held back.
  return pathname !== window.location.pathname && !isSignInPath(pathname);
};

/** Links and commands call `pushState`; redirects use `replaceState` and are not held back. */
const guardPushes = () => {
  const { pushState } = window.history;
  window.history.pushState = (...parameters) => {
    const guard = isOtherPage(parameters[2]) ? guards.at(-1) : undefined;
    if (guard) guard(() => window.history.pushState(...parameters));
    else pushState.apply(window.history, parameters);
  };
  return () => {
    window.history.pushState = pushState;
  };
};

/** Back and forward can be cancelled only with the Navigation API. */
const guardTraversals = () => {
  if (!('navigation' in window)) return () => {};
  const { navigation } = window;
  const onNavigate = (event: NavigateEvent) => {
    const guard = guards.at(-1);
    const { key, sameDocument } = event.destination;
    if (event.navigationType !== 'traverse' || !event.cancelable || !sameDocument || !guard) return;
    event.preventDefault();
    guard(() => {
      // Not by offset: after a cancelled traversal Chromium counts from the wrong entry.
      const { committed, finished } = navigation.traverseTo(key);
      void Promise.allSettled([committed, finished]);
    });
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
};

let release: readonly (() => void)[] = [];

const add = (guard: Guard) => {
  if (guards.push(guard) === 1) release = [guardPushes(), guardTraversals()];
};
const remove = (guard: Guard) => {
  const index = guards.indexOf(guard);
  if (index < 0) return;
  guards.splice(index, 1);
  if (guards.length > 0) return;
  for (const one of release) one();
  release = [];
};

/**
 * Holds back navigation while there are unsaved changes: links, commands, back and forward; on closing the tab the browser
 * asks itself. Returns the held navigation, or null. Browsers without the Navigation API go back without a question.
 */
export const useUnsavedGuard = (dirty: boolean): Leaving | null => {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useUnsavedWarning(dirty);
  // A layout effect: removed before the next page can navigate.
  useLayoutEffect(() => {
    if (!dirty) return undefined;
    const guard: Guard = (go) =>
      setLeaving({
        go: () => {
          remove(guard);
          setLeaving(null);
          go();
        },
        stay: () => setLeaving(null),
      });
    add(guard);
    return () => {
      remove(guard);
      setLeaving(null);
    };
  }, [dirty]);
  return leaving;
};
