import { hashOf, type TenantId } from '@postmaster/contracts';

/** What is under way, by tenant and key: whoever asks for the same meanwhile joins, unless told that it is outdated. */
export const singleFlight = <T>() => {
  const underWay = new Map<string, { making: Promise<T>; began: number }>();
  return (
    tenant: TenantId,
    key: string,
    began: number,
    make: () => Promise<T>,
    mayJoin: (began: number) => boolean = () => true,
  ): { making: Promise<T>; joined: boolean } => {
    const place = hashOf(tenant, key);
    const there = underWay.get(place);
    if (there && mayJoin(there.began)) return { making: there.making, joined: true };
    const flight = { making: make(), began };
    underWay.set(place, flight);
    const land = (): void => {
      if (underWay.get(place) === flight) underWay.delete(place);
    };
    flight.making.then(land, land);
    return { making: flight.making, joined: false };
  };
};
