import { useTranslation } from 'react-i18next';
import { HelpPage } from '../help/help-page.tsx';
import { useHistoryShortcuts, useKeyText, useMountShortcuts, viewerShortcuts } from '../workspace/viewer/shortcuts.ts';

/** The help page with the keyboard shortcuts of the workspace. */
export const HelpRoute = () => {
  const { t } = useTranslation('viewer');
  const groups = [...useMountShortcuts(), ...useHistoryShortcuts()];
  return <HelpPage keyGroups={[...groups, ...viewerShortcuts(t)]} keyText={useKeyText()} />;
};
