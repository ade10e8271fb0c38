import { Button, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import { useTranslation } from 'react-i18next';
import type { DirectoryToken } from '../../../../contract/directory.ts';
import { useMomentText } from '../../language/file-error-text.ts';
import classes from './directory.module.css';

interface TokenListProps {
  readonly tokens: readonly DirectoryToken[];
  readonly onRevoke: (token: DirectoryToken) => void;
}

/** The tokens of a clinic's directory. */
export const TokenList = ({ tokens, onRevoke }: TokenListProps) => {
  const { t } = useTranslation('users');
  const momentText = useMomentText();
  if (tokens.length === 0) return <p className={classes.dimmed}>{t('directoryNone')}</p>;
  return (
    <Table aria-label={t('directoryTokens')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('directoryName')}</Table.Th>
          <Table.Th>{t('fileLinkUntil')}</Table.Th>
          <Table.Th>{t('directoryUsed')}</Table.Th>
          <Table.Th>{t('directoryInvitations')}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <Table.Tr key={token.id}>
            <Table.Th scope="row">{token.name}</Table.Th>
            <Table.Td>
              {new Date(token.expiresAt) > new Date() ? momentText(token.expiresAt) : t('directoryExpired')}
            </Table.Td>
            <Table.Td>{token.usedAt ? momentText(token.usedAt) : t('directoryNever')}</Table.Td>
            <Table.Td>{t(token.invitesIn ? 'on' : 'off')}</Table.Td>
            <Table.Td>
              <Button
                variant="default"
                size="xs"
                aria-label={t('directoryRevokeOf', { name: token.name })}
                onClick={() => onRevoke(token)}
              >
                {t('directoryRevoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};
