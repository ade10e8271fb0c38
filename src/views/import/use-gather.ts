import { useTranslation } from 'react-i18next';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { type ImportTarget, useGround } from '../ground.tsx';
import type { FilesRead } from '../parts/dropped-files.ts';
import { toast } from '../parts/toast.ts';
import { useFindingWords } from './finding-words.ts';
import { type Finding, gather } from './findings.ts';
import { putIntoTray } from './not-sent.ts';

interface GatherOptions {
  readonly tray: ImportsActor;
  readonly target: ImportTarget;
  readonly onStarted: () => void;
  /** Where findings are told; in toasts when there is no place for them. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
}

/** Takes what a person dropped or chose: starts its imports, and tells what gives none. */
export const useGather = ({ tray, target, onStarted, onFindings }: GatherOptions) => {
  const { t } = useTranslation('import');
  const { importFiles } = useGround();
  const words = useFindingWords();
  const tell =
    onFindings ??
    ((findings: readonly Finding[]) => {
      for (const finding of findings) toast({ tone: 'bad', text: words(finding).join('. '), close: t('close') });
    });
  return (read: FilesRead, asDirectory = false) => {
    const { groups, findings } = gather(read, asDirectory);
    tell(findings);
    if (groups.length === 0) return;
    putIntoTray(tray, importFiles, target, groups);
    onStarted();
  };
};
