interface Made {
  data?: { createTenant: { key?: { secret: string }; code?: string; message?: string } } | null;
  errors?: { message: string }[];
}

const CREATE = `mutation($id: ID!, $name: String!) { createTenant(input: { id: $id, name: $name }) {
  ... on NewTenant { key { secret } } ... on Refused { code message } } }`;

/** Makes a tenant by the front door; gives its first key. Throws with what was said instead. */
export const makeTenant = async (url: string, operatorKey: string, id: string): Promise<string> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: CREATE, variables: { id, name: id } }),
  });
  const said = (await response.json()) as Made;
  const secret = said.data?.createTenant.key?.secret;
  if (!secret) throw new Error(`The tenant was not made: ${JSON.stringify(said)}`);
  return secret;
};
