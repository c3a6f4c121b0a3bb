"""Only the open internet is public: not our own networks, and not in any of the forms that hide an address in another.

The networks are those of RFC 6890 and of the registries that it founded, with what came to them later.
"""

import ipaddress
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.adapters.guarded_http import is_public

IPV4_OF_OURS = {
    "this host": "0.0.0.0/8",
    "private, large": "10.0.0.0/8",
    "carrier-grade NAT": "100.64.0.0/10",
    "loopback": "127.0.0.0/8",
    "metadata of a cloud": "168.63.129.16/32",
    "link-local": "169.254.0.0/16",
    "private, middle": "172.16.0.0/12",
    "protocol assignments": "192.0.0.0/24",
    "documentation 1": "192.0.2.0/24",
    "6to4 relays": "192.88.99.0/24",
    "private, small": "192.168.0.0/16",
    "benchmarks": "198.18.0.0/15",
    "documentation 2": "198.51.100.0/24",
    "documentation 3": "203.0.113.0/24",
    "multicast": "224.0.0.0/4",
    "reserved, with broadcast": "240.0.0.0/4",
}
IPV6_OF_OURS = {
    "unspecified": "::/128",
    "loopback": "::1/128",
    "IPv4-compatible": "::/96",
    "IPv4-translated": "::ffff:0:0:0/96",
    "NAT64 of one network": "64:ff9b:1::/48",
    "discard": "100::/64",
    "Teredo": "2001::/32",
    "benchmarks": "2001:2::/48",
    "ORCHID": "2001:20::/28",
    "documentation": "2001:db8::/32",
    "documentation, large": "3fff::/20",
    "segment routing": "5f00::/16",
    "unique-local": "fc00::/7",
    "link-local": "fe80::/10",
    "site-local": "fec0::/10",
    "multicast": "ff00::/8",
}
PUBLIC = (
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
)
METADATA = ("169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254")


def _inside(prefix: str, shift: int) -> Callable[[ipaddress.IPv4Address], ipaddress.IPv6Address]:
    start = int(ipaddress.IPv6Address(prefix))
    return lambda address: ipaddress.IPv6Address(start | int(address) << shift)


WRAPPINGS = {
    "IPv4-mapped": _inside("::ffff:0:0", 0),
    "6to4": _inside("2002::1", 80),
    "NAT64": _inside("64:ff9b::", 0),
}


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_the_internet_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("network", [*IPV4_OF_OURS.values(), *IPV6_OF_OURS.values()])
def test_a_network_that_is_not_the_internet_is_refused_from_its_first_address_to_its_last(network: str) -> None:
    whole = ipaddress.ip_network(network)
    assert [is_public(whole[place]) for place in (0, -1)] == [False, False]


@pytest.mark.parametrize("text", METADATA)
def test_no_cloud_tells_its_metadata(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


def test_an_address_of_one_link_only_is_not_public_whatever_it_is() -> None:
    assert is_public(ipaddress.ip_address("2606:4700::1"))
    assert not is_public(ipaddress.ip_address("2606:4700::1%eth0"))


@pytest.mark.parametrize("network", IPV4_OF_OURS.values())
@given(data=st.data())
def test_no_address_of_ours_is_public_in_any_form(network: str, data: st.DataObject) -> None:
    address = data.draw(st.ip_addresses(network=network))
    assert isinstance(address, ipaddress.IPv4Address)
    assert not is_public(address)
    assert {name: is_public(wrap(address)) for name, wrap in WRAPPINGS.items()} == dict.fromkeys(WRAPPINGS, False)


@given(st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_teredo_is_never_public_for_it_names_two_hosts(
    server: ipaddress.IPv4Address, host: ipaddress.IPv4Address
) -> None:
    # RFC 4380 4: the host's address stands there with every bit turned.
    hidden = int(host) ^ 0xFFFFFFFF
    assert not is_public(ipaddress.IPv6Address(0x20010000 << 96 | int(server) << 64 | hidden))


@given(st.ip_addresses(v=4))
def test_a_form_that_hides_an_address_is_judged_like_the_address(address: ipaddress.IPv4Address) -> None:
    judged = {name: is_public(wrap(address)) for name, wrap in WRAPPINGS.items()}
    assert judged == dict.fromkeys(WRAPPINGS, is_public(address))


@pytest.mark.parametrize("network", IPV6_OF_OURS.values())
@given(data=st.data())
def test_no_ipv6_address_of_ours_is_public(network: str, data: st.DataObject) -> None:
    assert not is_public(data.draw(st.ip_addresses(network=network)))


@given(st.ip_addresses(v=6))
def test_what_is_public_in_ipv6_is_global_unicast_or_hides_an_ipv4_address(address: ipaddress.IPv6Address) -> None:
    # RFC 4291 2.4 with the registry: 2000::/3 is all that was ever given out.
    homes = [ipaddress.IPv6Network(text) for text in ("2000::/3", "::ffff:0:0/96", "64:ff9b::/96")]
    assert not is_public(address) or any(address in home for home in homes)
