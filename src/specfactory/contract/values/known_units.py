"""The common units: dimension, factor to the dimension's base, and how pages write them.

The only table of units. One line per unit: its name, its factor, and its spellings (``_`` for a
space), grouped by where they are read:
  first        in fields and in running text,
  ``field:``   in fields only, whose contract says which units may stand there,
  ``text:``    in running text only, where letters such as T or H are no variant's name.
A name directly followed by a mark belongs to that group too.
Each dimension gives its base in SI base quantities, so that units of running text are composed.

Pint is asked only for what is not here: importing it costs a third of a second, and this table a
millisecond.
"""

# ruff: noqa: E501 - one line per unit, however many spellings it has

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: a value in it is ``value * factor + offset`` in the base of its dimension."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


# Dimension: powers of the base quantities, size of its base in SI units (masses in kg), units.
_DIMENSIONS = {
    "mass": ("g:1", 0.001, """
mg 0.001 milligram milligrams milligramme field: milligramm mgs мг ملغ
g 1 gram grams gramme grammes field: gr gm gms gramm gramo gramos grammo grammi grammes. grms GRM г гр грамм грамма граммов gramy gramów جم جرام غرام غم 克 グラム גרם γρ
kg 1000 kilogram kilograms kilogramme kilogrammes field: kilo kilos kilogramm kilogramo kilogramos chilogrammi chilogrammo kgs KGM кг килограмм килограммов kilogramy kilogramów كجم كغم كيلو كيلوجرام كيلوغرام 公斤 千克 キログラム ק״ג κιλά κιλό
t 1000000 tonne tonnes field: tonnen tonelada toneladas TNE text: ton tons metric_ton metric_tons
oz 28.349523125 ounce ounces field: unze unzen once onces onza onzas oncia ozs ONZ
lb 453.59237 lbs pound pounds field: pfund livre livres libra libras libbra libbre LBR text: lbm pound-mass pounds-mass
st 6350.29318 text: stone
ct 0.2 text: carat carats karat
"""),
    "length": ("m:1", 0.001, """
nm 0.000001 nanometer nanometers nanometre nanometres
µm 0.001 um micron microns micrometer micrometers micrometre micrometres field: mikrometer
mm 1 millimeter millimeters millimetre millimetres millimètre millimètres millimetro field: milímetro milímetros millimetri mms MMT мм مم ملم 毫米 ミリ
cm 10 centimeter centimeters centimetre centimetres centimètre centimètres centimetro field: zentimeter centímetro centímetros centimetri cms CMT см سم 厘米 公分 センチ
m 1000 meter meters metre metres mètre mètres metro metros field: metri mtr mtrs MTR м метр метра метров متر 米 メートル
km 1000000 kilometer kilometers kilometre kilometres kilomètre kilomètres field: kilómetro kilómetros chilometro chilometri KMT км كم 公里
in 25.4 inch inches ″ " ” field: zoll pouce pouces pulgada pulgadas pollice pollici '' “ „ INH дюйм дюйма дюймов بوصة 英寸 インチ cale cali
ft 304.8 foot feet ′ field: fuß fuss pied pieds pie pies piede piedi ' FOT
yd 914.4 yard yards field: YRD
mi 1609344 mile miles field: meile meilen SMI
nmi 1852000 text: nautical_mile nautical_miles
Å 1e-07 text: angstrom angstroms ångström
ly 9.4607e+18 text: light-year light-years light_year light_years
au 149597870700000 text: astronomical_unit astronomical_units
"""),
    "time": ("s:1", 1, """
ns 0.000000001 nanosecond nanoseconds field: nanosekunden
µs 0.000001 us microsecond microseconds microsecondes field: usec µsec mikrosekunde mikrosekunden microseconde microsegundos microsecondi B98
ms 0.001 millisecond milliseconds millisecondes field: msec msecs millisekunde millisekunden milliseconde milisegundo milisegundos millisecondo millisecondi C26
s 1 sec secs second seconds secondes field: sek sekunde sekunden seconde segundo segundos secondo secondi SEC
min 60 mins minute minutes MIN field: minuten minuto minutos minuti m мин минут минуты минута دقيقة دقائق 分 分钟 分鐘 minut minuty perc dakika
h 3600 hr hrs hour hours field: std stunde stunden heure heures hora horas ora ore HUR ч час часа часов ساعة ساعات 時間 小时 小時 godz godzin godziny timer timmar saat hodin hodiny
day 86400 days d DAY field: tag tage tagen jour jours día días dia dias giorno giorni дней день дня يوم أيام 天 dni dzień dagen dagar dage
week 604800 weeks wk wks field: woche wochen semaine semaines semana semanas settimana settimane WEE
month 2629800 months mo field: mos mth mths monat monate monaten mois mes meses mese mesi MON мес месяц месяца месяцев شهر أشهر ヶ月 か月 カ月 个月 個月 miesiąc miesiące miesięcy maanden månader måneder měsíců ay
year 31557600 years yr yrs field: y jahr jahre jahren an ans année années año años anno anni ANN год года лет سنة سنوات 年 rok lata lat jaar år roky let yıl text: annum
decade 315576000 text: decades
century 3155760000 text: centuries
"""),
    "frequency": ("s:-1", 1, """
Hz 1 hertz field: HTZ Гц
kHz 1000 kilohertz field: KHZ кГц
MHz 1000000 megahertz field: MHZ МГц
GHz 1000000000 gigahertz field: A86 ГГц
"""),
    "force": ("g:1 m:1 s:-2", 1, """
mN 0.001 millinewton millinewtons
cN 0.01 centinewton centinewtons
N 1 newton newtons field: NEW
gf 0.00980665 field: gram-force grams-force gramm-kraft gram_force grams_of_force
kgf 9.80665 field: kilogram-force
ozf 0.27801385095378125 field: ounce-force
lbf 4.4482216152605 pound-force
"""),
    "torque": ("g:1 m:2 s:-2", 1, """
Nm 1 N·m N*m newton_meter newton_meters newton_metre newton_metres field: N-m newtonmeter newton-meter newton-metre
Ncm 0.01 N·cm
lb-ft 1.3558179483314004 lbf·ft field: lb·ft lbf-ft lb_ft lb-fts ft-lb ft-lbs ft·lb ft_lbs foot-pounds pound-feet
in-lb 0.1129848290276167 field: in-lbs in·lb in_lbs inch-pounds
kgf·cm 0.0980665 field: kg·cm kg-cm kgf-cm
"""),
    "speed": ("m:1 s:-1", 1, """
mm/s 0.001 millimeters_per_second
m/s 1 meters_per_second metres_per_second field: mps
ips 0.0254 in/s inch/s inches/s inches_per_second inch_per_second field: zoll/s zoll_pro_sekunde pouces_par_seconde
km/h 0.2777777777777778 kph kmh
mph 0.44704 miles_per_hour
kn 0.5144444444 text: knot knots kt
"""),
    "acceleration": ("m:1 s:-2", 1, """
m/s² 1 m/s2 m/s^2
G 9.80665 field: g gs g's g-force text: g-force
"""),
    "angle": ("angle:1", 1, """
° 1 deg degree degrees field: grad degré degrés grado grados gradi DD text: degree_angle
rad 57.29577951308232 radian radians
"""),
    "count per inch": ("pixel:1 m:-1", 39.37007874, """
dpi 1 dpi field: cpi dots_per_inch counts_per_inch punkte_pro_zoll
"""),
    "pixel density": ("pixel:1 m:-1", 39.37007874, """
ppi 1 pixels_per_inch
"""),
    "pixel": ("pixel:1", 1, """
px 1 pixel pixels field: píxeles pixeles
"""),
    "frame rate": ("frame:1 s:-1", 1, """
fps 1 field: frames_per_second frame_per_second frames/s frames/sec bilder/s
"""),
    "resistance": ("g:1 m:2 s:-3 A:-2", 1, """
ohm 1 ohms Ω Ohm OHM
kΩ 1000 kiloohm kiloohms kohm kΩ
"""),
    "voltage": ("g:1 m:2 s:-3 A:-1", 1, """
mV 0.001 millivolt millivolts
V 1 volt volts field: VLT
kV 1000 kilovolt kilovolts
"""),
    "current": ("A:1", 1, """
µA 0.000001 microampere field: ua
mA 0.001 milliamp milliamps milliampere
A 1 amp amps ampere amperes field: AMP
"""),
    "charge": ("A:1 s:1", 3600, """
mAh 0.001 milliamp_hours milliampere_hours milliamp-hours field: E09 мАч мА·ч
Ah 1 amp_hours ampere_hours field: AMH
coulomb 0.0002777777777777778 text: coulombs
"""),
    "power": ("g:1 m:2 s:-3", 1, """
mW 0.001 milliwatt milliwatts
W 1 watt watts field: WTT Вт واط ватт
kW 1000 kilowatt kilowatts field: KWT кВт
hp 745.6998715822702 horsepower field: bhp
PS 735.49875 field: pferdestärke pferdestärken
"""),
    "energy": ("g:1 m:2 s:-2", 1, """
J 1 joule joules
kJ 1000 kilojoule kilojoules field: KJO
cal 4.184 cal text: calorie calories
kcal 4184 kilocalorie kilocalories field: Cal calorie calories kalorien kilokalorien calorías caloría E14
Wh 3600 watt-hours watt_hours field: wattstunden
kWh 3600000 kilowatt-hours field: kilowattstunden KWH
eV 1.602176634e-19 text: electronvolt electronvolts electron_volt electron_volts
BTU 1055.06 text: btu
"""),
    "energy use": ("share:1 g:1 m:2 s:-3", 1, """
kWh/1000h 1 field: kwh/1000_h kwh/1.000h
"""),
    "energy need": ("g:1 s:-2", 3600000, """
kWh/m²a 1 kWh/m² field: kWh/(m²*a) kWh/(m²·a) kWh/(m²a) kWh/m²/an kWh/m²/año kWh/m²_año kWh/m²_anno kWh/m²_an
"""),
    "luminance": ("cd:1 m:-2", 1, """
cd/m² 1 cd/m2 cd/m^2 candela/m² field: nit nits cd/qm
"""),
    "luminous flux": ("lumen:1", 1, """
lm 1 lumen lumens field: lúmenes
"""),
    "illuminance": ("lux:1", 1, """
lx 1 lux
"""),
    "loudness": ("bel:1", 0.1, """
dB 1 decibel decibels field: dezibel db(a) dba text: dBA
bel 10 text: bels
"""),
    "share": ("share:1", 1, """
% 1 percent per_cent field: prozent pourcent por_ciento porcentaje percento per_cento P1 text: percentage percentages
ppm 0.0001 text:
"""),
    "pressure": ("g:1 m:-1 s:-2", 1, """
Pa 1 pascal text: pascals
hPa 100
kPa 1000
bar 100000 BAR text: bars
psi 6894.757293168361
atm 101325 text: atmosphere atmospheres
mmHg 133.322 text: torr
"""),
    "information": ("bit:1", 1, """
bit 1 b bits
B 8 byte bytes field: octets
KB 8000 kilobyte kilobytes field: kbyte
MB 8000000 megabyte megabytes field: mbyte МБ
GB 8000000000 gigabyte gigabytes field: gbyte ГБ جيجابايت
TB 8000000000000 terabyte terabytes field: ТБ
KiB 8192
MiB 8388608
GiB 8589934592
"""),
    "data rate": ("bit:1 s:-1", 1, """
kbit/s 1000 kb/s field: kbps
Mbit/s 1000000 field: mbps mb/s
Gbit/s 1000000000 field: gbps gb/s
"""),
    "area": ("m:2", 1, """
mm² 0.000001 mm2 sq_mm square_millimeters
cm² 0.0001 cm2 sq_cm square_centimeters field: CMK
m² 1 m2 m^2 sq_m square_meters square_metres field: sqm qm quadratmeter mètres_carrés metros_cuadrados metri_quadrati mq MTK м² м2 кв.м متر_مربع 平方米 平米 ㎡
ha 10000 hectare hectares field: hektar HAR
km² 1000000 km2 sq_km field: KMK
in² 0.00064516 in2 sq_in square_inches field: INK
ft² 0.09290304 ft2 sq_ft sq._ft square_feet square_foot field: sqft FTK
yd² 0.83612736 yd2 sq_yd square_yards
acre 4046.8564224 acres ac field: ACR
barn 1e-28 text: barns
"""),
    "volume": ("m:3", 0.001, """
ml 0.001 mL milliliter milliliters millilitre millilitres field: MLT мл مل 毫升 ミリリットル
cl 0.01 cL
dl 0.1 dL
l 1 L liter liters litre litres litro litros field: litri LTR л литр литра литров لتر 升 リットル litry litrów text: ℓ
cm³ 0.001 cm3 cc ccm
m³ 1000 m3 field: cbm MTQ
tsp 0.00492892159375 teaspoon teaspoons
tbsp 0.01478676478125 tablespoon tablespoons
fl_oz 0.0295735295625 fluid_ounce fluid_ounces field: fl._oz OZA
cup 0.2365882365 cups
pt 0.473176473 pint pints
qt 0.946352946 quart quarts
gal 3.785411784 gallon gallons field: GLL
bbl 158.987294928 text: barrel barrels
"""),
    "turning": ("s:-1", 1 / 60, """
rpm 1 rpm field: u/min tr/min r/min
"""),
    "amount of substance": ("mol:1", 1, """
mol 1 text: mole moles
"""),
    "luminous intensity": ("cd:1", 1, """
cd 1 text: candela candelas
"""),
    "capacitance": ("farad:1", 1, """
farad 1 text: farads
"""),
    "inductance": ("henry:1", 1, """
H 1 text: henry henrys
"""),
    "magnetic flux density": ("tesla:1", 1, """
T 1 text: tesla teslas
"""),
    "magnetic flux": ("weber:1", 1, """
Wb 1 text: weber webers
"""),
    "absorbed dose": ("gray:1", 1, """
Gy 1 text: gray grays
"""),
    "dose": ("sievert:1", 1, """
Sv 1 text: sievert sieverts
"""),
    "radioactivity": ("becquerel:1", 1, """
Bq 1 text: becquerel becquerels
"""),
    "astronomical length": ("pc:1", 1, """
pc 1 text: parsec parsecs
"""),
    "count": ("count:1", 1, """
times 1 text: count
"""),
    "money": ("cent:1", 1, """
cent 1 text: cents
"""),
}  # fmt: skip

# Units with an offset are bases of their own in running text, where nothing is converted.
_TEMPERATURES = {
    "K": (1.0, 0.0, "kelvin kelvins field: KEL"),
    "°C": (1.0, 273.15, "celsius degC deg_C degrees_celsius ℃ field: CEL text: C centigrade "
           "degree_celsius degree_centigrade degrees_centigrade degrees_C"),
    "°F": (5 / 9, 459.67 * 5 / 9, "fahrenheit degF deg_F degrees_fahrenheit ℉ field: FAH text: F "
           "degree_fahrenheit degrees_F"),
}  # fmt: skip


def _read_table() -> tuple[list[tuple[Unit, tuple[str, ...], tuple[str, ...]]], dict[str, Base]]:
    """Every unit with its spellings in fields and in running text; the base of each dimension."""
    lines: list[tuple[Unit, str]] = []
    bases: dict[str, Base] = {}
    for dimension, (powers, size, written) in _DIMENSIONS.items():
        parts = (part.split(":") for part in powers.split())
        bases[dimension] = tuple(sorted((base, int(power)) for base, power in parts)), size
        for line in written.strip().split("\n"):
            name, factor, words = f"{line} ".split(" ", 2)
            lines.append((Unit(name.replace("_", " "), dimension, float(factor)), words))
    for name, (scale, offset, words) in _TEMPERATURES.items():
        lines.append((Unit(name, "temperature", scale, offset), words))
    return [(unit, *_spellings(unit.name, words)) for unit, words in lines], bases


def _spellings(name: str, words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    groups: dict[str, list[str]] = {"": [], "field:": [], "text:": []}
    group = ""
    for at, word in enumerate(words.split()):
        if word in groups:
            group = word
            if at == 0:
                groups[group].append(name)
        else:
            groups[group].append(word.replace("_", " "))
    own = () if name in (*groups["field:"], *groups["text:"]) else (name,)
    both = (*own, *groups[""])
    return (*both, *groups["field:"]), (*both, *groups["text:"])


Base = tuple[tuple[tuple[str, int], ...], float]
_ROWS, BASES = _read_table()
UNITS = {unit.name: unit for unit, fields, _ in _ROWS if fields}
SPELLINGS = {unit.name: fields for unit, fields, _ in _ROWS if fields}
TEXT_SPELLINGS = [(unit, words) for unit, _, words in _ROWS if words]
"""Units with their spellings in running text."""
