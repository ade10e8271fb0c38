import { describe, expect, it } from 'vitest';
import { readGatewaySettings } from '../../server/dicom-gateway/gateway-settings.ts';

const names = {
  port: 'DENTARIUM_DICOM_PORT',
  title: 'DENTARIUM_DICOM_AE_TITLE',
  certificate: 'DENTARIUM_DICOM_TLS_CERTIFICATE_FILE',
  key: 'DENTARIUM_DICOM_TLS_KEY_FILE',
  authority: 'DENTARIUM_DICOM_TLS_CA_FILE',
};

describe('the settings of DICOM devices', () => {
  it('let none connect without a port', () => {
    expect(readGatewaySettings({})).toEqual({ aeTitle: 'DENTARIUM', tls: null, listen: null });
  });

  it('have a port, and TLS with a certificate and its key', () => {
    const plain = { [names.port]: '104', [names.title]: ' KLINIKEN ' };
    expect(readGatewaySettings(plain)).toEqual({
      aeTitle: 'KLINIKEN',
      tls: null,
      listen: { host: '0.0.0.0', port: 104, tls: null },
    });
    const files = { [names.certificate]: '/a.pem', [names.key]: '/a.key' };
    const tls = { certificateFile: '/a.pem', keyFile: '/a.key', authorityFile: null };
    expect(readGatewaySettings({ ...plain, ...files }).listen).toMatchObject({ tls });
    expect(readGatewaySettings(files)).toMatchObject({ tls, listen: null });
    const all = { ...plain, ...files, [names.authority]: '/ca.pem' };
    expect(readGatewaySettings(all).listen).toMatchObject({ tls: { ...tls, authorityFile: '/ca.pem' } });
  });

  it.each([
    [{ [names.certificate]: '/a.pem' }, names.key],
    [{ [names.key]: '/a.key' }, names.certificate],
    [{ [names.authority]: '/ca.pem' }, names.certificate],
    [{ [names.port]: '0' }, names.port],
    [{ [names.title]: 'MORE THAN SIXTEEN' }, names.title],
    [{ [names.title]: 'A\\B' }, names.title],
  ])('are refused when they are incomplete or invalid: %j', (environment, named) => {
    expect(() => readGatewaySettings(environment)).toThrow(named);
  });
});
