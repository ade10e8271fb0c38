import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { byteOrderMark, csvRow } from '../../../../contract/csv.ts';
import { useMomentText } from '../../language/file-error-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import type { FileUser } from './read-user-file.ts';
import type { LineResult } from './use-user-import.ts';
import classes from './user-import.module.css';

interface MadeLink {
  readonly name: string;
  readonly email: string;
  readonly link: string;
  readonly expiresAt: string;
}

/** Returns the invitation links of the added users. */
const linksOf = (users: readonly FileUser[], results: ReadonlyMap<number, LineResult>): readonly MadeLink[] =>
  users.flatMap(({ line, cells }) => {
    const result = results.get(line);
    if (result?.outcome !== 'created' || result.invitation.delivery !== 'copy') return [];
    const { link, expiresAt } = result.invitation;
    return [{ name: `${cells.firstName} ${cells.lastName}`, email: cells.email, link, expiresAt }];
  });

interface InvitationLinksProps {
  readonly users: readonly FileUser[];
  readonly results: ReadonlyMap<number, LineResult>;
}

/** Hands out the invitation links of an archive without a mail server, to copy or as a file. */
export const InvitationLinks = ({ users, results }: InvitationLinksProps) => {
  const { t } = useTranslation('users');
  const momentText = useMomentText();
  const [isCopied, setIsCopied] = useState(false);
  const links = linksOf(users, results);
  if (links.length === 0) return null;
  const rows = links.map((one) => [one.name, one.email, one.link, momentText(one.expiresAt)]);
  const save = () => {
    const head = csvRow([t('name'), t('email'), t('linkLabel'), t('fileLinkUntil')]);
    const content = new Blob([byteOrderMark, head, ...rows.map(csvRow)], { type: 'text/csv;charset=utf-8' });
    saveFile({ name: 'dentarium-invitations.csv', content });
  };
  const copy = async () => {
    await navigator.clipboard.writeText(rows.map((cells) => cells.join('\t')).join('\n'));
    setIsCopied(true);
  };
  return (
    <div className={classes.body}>
      <p>{t('fileLinks', { count: links.length })}</p>
      <div className={classes.links}>
        <Button leftSection={<IconDownload aria-hidden="true" />} onClick={save}>
          {t('fileLinksSave')}
        </Button>
        {/* The clipboard is available on pages with HTTPS only. */}
        {window.isSecureContext && (
          <Button variant="default" onClick={() => void copy()} onBlur={() => setIsCopied(false)}>
            <span aria-live="polite">{t(isCopied ? 'copied' : 'fileLinksCopy')}</span>
          </Button>
        )}
      </div>
    </div>
  );
};
