"""The common units: dimension, factor to the dimension's base, and how pages write them.

One line a unit: its name, its factor, and its spellings (``_`` for a space). Pint is asked only
for what is not here: importing it costs a third of a second, and this table a millisecond.
"""

# ruff: noqa: E501 - one line a unit, however many spellings it has

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: a value in it is ``value * factor + offset`` in the base of its dimension."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


_DIMENSIONS = {
    "mass": """
mg 0.001 milligram milligrams milligramm milligramme mgs мг ملغ
g 1 gr gm gram grams gms gramm gramme grammes gramo gramos grammo grammi grammes. grms GRM г гр грамм грамма граммов gramy gramów جم جرام غرام غم 克 グラム גרם γρ
kg 1000 kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilogrammi chilogrammo kgs KGM кг килограмм килограммов kilogramy kilogramów كجم كغم كيلو كيلوجرام كيلوغرام 公斤 千克 キログラム ק״ג κιλά κιλό
t 1000000 tonne tonnes tonnen tonelada toneladas TNE
oz 28.349523125 ounce ounces unze unzen once onces onza onzas oncia once ozs ONZ
lb 453.59237 lbs pound pounds pfund livre livres libra libras libbra libbre LBR
""",
    "length": """
nm 0.000001 nanometer nanometers nanometre nanometres
µm 0.001 um micron microns micrometer micrometers micrometre micrometres mikrometer
mm 1 millimeter millimeters millimetre millimetres millimètre millimètres milímetro milímetros millimetro millimetri mms MMT мм مم ملم 毫米 ミリ
cm 10 centimeter centimeters centimetre centimetres zentimeter centimètre centimètres centímetro centímetros centimetro centimetri cms CMT см سم 厘米 公分 センチ
m 1000 meter meters metre metres mètre mètres metro metros metri mtr mtrs MTR м метр метра метров متر 米 メートル
km 1000000 kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros chilometro chilometri KMT км كم 公里
in 25.4 inch inches zoll pouce pouces pulgada pulgadas pollice pollici ″ " '' ” “ „ INH дюйм дюйма дюймов بوصة 英寸 インチ cale cali
ft 304.8 foot feet fuß fuss pied pieds pie pies piede piedi ′ ' FOT
yd 914.4 yard yards YRD
mi 1609344 mile miles meile meilen SMI
""",
    "time": """
ns 0.000000001 nanosecond nanoseconds nanosekunden
µs 0.000001 us usec µsec microsecond microseconds mikrosekunde mikrosekunden microseconde microsecondes microsegundos microsecondi B98
ms 0.001 msec msecs millisecond milliseconds millisekunde millisekunden milliseconde millisecondes milisegundo milisegundos millisecondo millisecondi C26
s 1 sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondo secondi SEC
min 60 mins minute minutes minuten minuto minutos minuti m MIN мин минут минуты минута دقيقة دقائق 分 分钟 分鐘 minut minuty perc dakika
h 3600 hr hrs hour hours std stunde stunden heure heures hora horas ora ore HUR ч час часа часов ساعة ساعات 時間 小时 小時 godz godzin godziny timer timmar saat hodin hodiny
day 86400 days d tag tage tagen jour jours día días dia dias giorno giorni DAY дней день дня يوم أيام 天 dni dzień dagen dagar dage
week 604800 weeks wk wks woche wochen semaine semaines semana semanas settimana settimane WEE
month 2629800 months mo mos mth mths monat monate monaten mois mes meses mese mesi MON мес месяц месяца месяцев شهر أشهر ヶ月 か月 カ月 个月 個月 miesiąc miesiące miesięcy maanden månader måneder měsíců ay
year 31557600 years yr yrs y jahr jahre jahren an ans année années año años anno anni ANN год года лет سنة سنوات 年 rok lata lat jaar år roky let yıl
""",
    "frequency": """
Hz 1 hertz HTZ Гц
kHz 1000 kilohertz KHZ кГц
MHz 1000000 megahertz MHZ МГц
GHz 1000000000 gigahertz A86 ГГц
""",
    "force": """
mN 0.001 millinewton millinewtons
cN 0.01 centinewton centinewtons
N 1 newton newtons NEW
gf 0.00980665 gram-force grams-force gramm-kraft gram_force grams_of_force
kgf 9.80665 kilogram-force
ozf 0.27801385095378125 ounce-force
lbf 4.4482216152605 pound-force
""",
    "torque": """
Nm 1 N·m N-m N*m newton_meter newton_meters newton_metre newton_metres newtonmeter newton-meter newton-metre
Ncm 0.01 N·cm
lb-ft 1.3558179483314004 lb·ft lbf-ft lbf·ft lb_ft lb-fts ft-lb ft-lbs ft·lb ft_lbs foot-pounds pound-feet
in-lb 0.1129848290276167 in-lbs in·lb in_lbs inch-pounds
kgf·cm 0.0980665 kg·cm kg-cm kgf-cm
""",
    "speed": """
mm/s 0.001 millimeters_per_second
m/s 1 mps meters_per_second metres_per_second
ips 0.0254 in/s inch/s inches/s inches_per_second inch_per_second zoll/s zoll_pro_sekunde pouces_par_seconde
km/h 0.2777777777777778 kph kmh
mph 0.44704 miles_per_hour
""",
    "acceleration": """
m/s² 1 m/s2 m/s^2
G 9.80665 g gs g-force g's
""",
    "angle": """
° 1 deg degree degrees grad degré degrés grado grados gradi DD
rad 57.29577951308232 radian radians
""",
    "count per inch": """
dpi 1 cpi dots_per_inch counts_per_inch punkte_pro_zoll
""",
    "pixel density": """
ppi 1 pixels_per_inch
""",
    "pixel": """
px 1 pixel pixels píxeles pixeles
""",
    "frame rate": """
fps 1 frames_per_second frame_per_second frames/s frames/sec bilder/s
""",
    "resistance": """
ohm 1 ohms Ω Ω Ohm OHM
kΩ 1000 kiloohm kiloohms kohm kΩ
""",
    "voltage": """
mV 0.001 millivolt millivolts
V 1 volt volts VLT
kV 1000 kilovolt kilovolts
""",
    "current": """
µA 0.000001 ua microampere
mA 0.001 milliamp milliamps milliampere
A 1 amp amps ampere amperes AMP
""",
    "charge": """
mAh 0.001 milliamp_hours milliampere_hours milliamp-hours E09 мАч мА·ч
Ah 1 amp_hours ampere_hours AMH
""",
    "power": """
mW 0.001 milliwatt milliwatts
W 1 watt watts WTT Вт واط ватт
kW 1000 kilowatt kilowatts KWT кВт
hp 745.6998715822702 bhp horsepower
PS 735.49875 pferdestärke pferdestärken
""",
    "energy": """
J 1 joule joules
kJ 1000 kilojoule kilojoules KJO
cal 4.184
kcal 4184 Cal calorie calories kilocalorie kilocalories kalorien kilokalorien calorías caloría E14
Wh 3600 watt-hours watt_hours wattstunden
kWh 3600000 kilowatt-hours kilowattstunden KWH
""",
    "energy use": """
kWh/1000h 1 kwh/1000_h kwh/1.000h
""",
    "energy need": """
kWh/m²a 1 kWh/(m²*a) kWh/(m²·a) kWh/(m²a) kWh/m²/an kWh/m²/año kWh/m²_año kWh/m²_anno kWh/m²_an kWh/m²
""",
    "luminance": """
cd/m² 1 nit nits cd/m2 cd/m^2 cd/qm candela/m²
""",
    "luminous flux": """
lm 1 lumen lumens lúmenes
""",
    "illuminance": """
lx 1 lux
""",
    "loudness": """
dB 1 decibel decibels dezibel db(a) dba
""",
    "share": """
% 1 percent per_cent prozent pourcent por_ciento porcentaje percento per_cento P1
""",
    "pressure": """
Pa 1 pascal
hPa 100
kPa 1000
bar 100000 BAR
psi 6894.757293168361
""",
    "information": """
bit 1 b bits
B 8 byte bytes octets
KB 8000 kbyte kilobyte kilobytes
MB 8000000 mbyte megabyte megabytes МБ
GB 8000000000 gbyte gigabyte gigabytes ГБ جيجابايت
TB 8000000000000 terabyte terabytes ТБ
KiB 8192
MiB 8388608
GiB 8589934592
""",
    "data rate": """
kbit/s 1000 kbps kb/s
Mbit/s 1000000 mbps mb/s
Gbit/s 1000000000 gbps gb/s
""",
    "area": """
mm² 0.000001 mm2 sq_mm square_millimeters
cm² 0.0001 cm2 sq_cm square_centimeters CMK
m² 1 m2 m^2 sqm sq_m qm quadratmeter square_meters square_metres mètres_carrés metros_cuadrados metri_quadrati mq MTK м² м2 кв.м متر_مربع 平方米 平米 ㎡
ha 10000 hectare hectares hektar HAR
km² 1000000 km2 sq_km KMK
in² 0.00064516 in2 sq_in square_inches INK
ft² 0.09290304 ft2 sqft sq_ft sq._ft square_feet square_foot FTK
yd² 0.83612736 yd2 sq_yd square_yards
acre 4046.8564224 acres ac ACR
""",
    "volume": """
ml 0.001 mL milliliter milliliters millilitre millilitres MLT мл مل 毫升 ミリリットル
cl 0.01 cL
dl 0.1 dL
l 1 L liter liters litre litres litro litros litri LTR л литр литра литров لتر 升 リットル litry litrów
cm³ 0.001 cm3 cc ccm
m³ 1000 m3 cbm MTQ
tsp 0.00492892159375 teaspoon teaspoons
tbsp 0.01478676478125 tablespoon tablespoons
fl_oz 0.0295735295625 fluid_ounce fluid_ounces fl._oz OZA
cup 0.2365882365 cups
pt 0.473176473 pint pints
qt 0.946352946 quart quarts
gal 3.785411784 gallon gallons GLL
""",
    "turning": """
rpm 1 u/min tr/min r/min
""",
}

_TEMPERATURES = {
    "K": (1.0, 0.0, ("kelvin", "KEL")),
    "°C": (1.0, 273.15, ("celsius", "degC", "deg C", "degrees celsius", "℃", "CEL")),
    "°F": (5 / 9, 459.67 * 5 / 9, ("fahrenheit", "degF", "deg F", "degrees fahrenheit", "℉", "FAH")),
}  # fmt: skip


def _read_table() -> tuple[dict[str, Unit], dict[str, tuple[str, ...]]]:
    units: dict[str, Unit] = {}
    spellings: dict[str, tuple[str, ...]] = {}
    for dimension, lines in _DIMENSIONS.items():
        for line in lines.split("\n"):
            if line:
                name, factor, *written = line.replace("_", "\0").split(" ")
                name = name.replace("\0", " ")
                units[name] = Unit(name, dimension, float(factor))
                spellings[name] = (name, *(word.replace("\0", " ") for word in written))
    for name, (scale, offset, words) in _TEMPERATURES.items():
        units[name] = Unit(name, "temperature", scale, offset)
        spellings[name] = (name, *words)
    return units, spellings


UNITS, SPELLINGS = _read_table()
