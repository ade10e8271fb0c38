import { Button } from '@mantine/core';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../parts/icon-alert.tsx';
import { ToolButton } from '../parts/tool-button.tsx';
import { useFindingWords } from './finding-words.ts';
import type { Finding } from './findings.ts';
import type { ImportGroup } from './groups.ts';
import classes from './import.module.css';

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly onAnyway: (finding: Finding, groups: readonly ImportGroup[]) => void;
  readonly onClose: (finding: Finding) => void;
}

const filesOf = (groups: readonly ImportGroup[]) => groups.reduce((sum, { files }) => sum + files.length, 0);

/** What was found in a gesture that gave no import, in words; it stays until it was read. */
export const FindingList = ({ findings, onAnyway, onClose }: FindingListProps) => {
  const { t } = useTranslation('import');
  const words = useFindingWords();
  return (
    <ul className={classes.findings} role="alert">
      {findings.map((finding) => {
        const [first = '', ...more] = words(finding);
        return (
          <li key={`${finding.kind}/${'name' in finding ? finding.name : ''}`} className={classes.finding}>
            <div>
              <IconAlert tone="caution">
                <b>{first}</b>
              </IconAlert>
              {more.map((text) => (
                <p key={text}>{text}</p>
              ))}
              {finding.kind === 'no-directory' && (
                <Button size="compact-md" variant="default" onClick={() => onAnyway(finding, finding.groups)}>
                  {t('importAnyway', { count: filesOf(finding.groups) })}
                </Button>
              )}
            </div>
            <ToolButton label={t('close')} onClick={() => onClose(finding)}>
              <IconX />
            </ToolButton>
          </li>
        );
      })}
    </ul>
  );
};
