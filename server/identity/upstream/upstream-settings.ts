/** An OpenID provider elsewhere. */
export interface UpstreamProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly label: string | null;
}

export interface UpstreamSettings {
  readonly siths: UpstreamProvider | null;
  /** The clinic's own. */
  readonly openid: UpstreamProvider | null;
  /** Base address of Azure AD; client and tenant are set by an administrator. */
  readonly azureAuthority: string;
}

export const readUpstreamSettings = (_environment: Readonly<Record<string, string | undefined>>): UpstreamSettings => ({
  siths: null,
  openid: null,
  azureAuthority: 'https://login.microsoftonline.com',
});
