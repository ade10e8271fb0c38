import { useEffect, useState } from 'react';

/** Nothing but the images: all that is marked `data-chrome` on the page is hidden while `<html>` says so. */
export const useFocusMode = (): readonly [boolean, (on: boolean) => void] => {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    root.toggleAttribute('data-focus-mode', on);
    return () => root.removeAttribute('data-focus-mode');
  }, [on]);
  return [on, setOn];
};

/** The whole screen, dialogs and tooltips included. */
export const useFullscreen = (): readonly [boolean, () => void] => {
  const [on, setOn] = useState(() => document.fullscreenElement !== null && document.fullscreenElement !== undefined);
  useEffect(() => {
    const listen = () => setOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', listen);
    return () => document.removeEventListener('fullscreenchange', listen);
  }, []);
  const toggle = () => {
    // A browser may refuse: the page stays as it is.
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else document.documentElement.requestFullscreen?.().catch(() => {});
  };
  return [on, toggle];
};
