import { useTranslation } from 'react-i18next';
import { HelpPage } from './help/help-page.tsx';
import { useKeyText } from './viewer/key-text.ts';
import { roomShortcuts } from './viewer/shortcuts.ts';
import { useMountShortcuts } from './viewset/mount-shortcuts.ts';

/** The help, with the keys of the views that have their own. */
export const HelpRoute = () => {
  const { t } = useTranslation('viewer');
  const mount = useMountShortcuts();
  return <HelpPage keyGroups={[...mount, ...roomShortcuts(t)]} keyText={useKeyText()} />;
};
